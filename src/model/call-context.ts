/** What a use-case knows about the call that started it: how to notice its end, and how to say where it stands. */

export interface CallContext {
  /** Aborts when the caller cancels, goes away, or the server is told to stop; the use-case then ends and undoes. */
  readonly signal: AbortSignal;
  /** Says in a few words which stage begins. Cheap: the receiver limits the rate and may drop a message. */
  readonly progress: (message: string) => void;
  /** The program that calls, as it named itself. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
}
