/**
 * What a lock is to this program: a name that the operating system gives to one process at a time and takes back when
 * that process dies, however it dies. No clock, process id or left-over file decides who holds one.
 */

export interface HeldLock {
  letGo(): Promise<void>;
}

export interface KernelLock {
  /** Takes the name, or gives null while anybody holds it. Rejects where the system refuses for another reason. */
  tryHold(): Promise<HeldLock | null>;
  /** Resolves when the holder may have let go, and at once when the signal is aborted. Never rejects. */
  holderGone(signal: AbortSignal): Promise<void>;
}
