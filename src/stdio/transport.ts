/**
 * The wire: JSON-RPC messages over a pair of streams, one per line. It answers what it cannot read and goes on; it
 * never closes by itself, but says that the other side is gone and leaves the ending to whoever serves.
 */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { splitFrames } from './frames.ts';
import { readFrame, type Refusal } from './message.ts';

/** 8 MiB of patch with every byte written as `\u00XX`, and 2 MiB for the rest of the message. */
const MAX_FRAME_BYTES = 50 * 1024 * 1024;

export interface StdioStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** Reads messages from stdin and writes them to stdout; `gone` is called once, when either side of the pipe ends. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  /** Resolves when the first message has left: the client's opening is answered. */
  readonly opened: Promise<void>;
  #open: () => void = () => undefined;

  readonly #streams: StdioStreams;
  readonly #gone: () => void;
  readonly #maxBytes: number;
  readonly #sending = new Set<Promise<void>>();
  #closed = false;

  constructor(streams: StdioStreams, gone: () => void, maxBytes = MAX_FRAME_BYTES) {
    this.#streams = streams;
    this.#maxBytes = maxBytes;
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
    let told = false;
    this.#gone = () => {
      if (!told) gone();
      told = true;
    };
  }

  start(): Promise<void> {
    const { stdin, stdout } = this.#streams;
    const splitter = splitFrames(this.#maxBytes, (frame) => {
      const { messages, refusals } = readFrame(frame, this.#maxBytes);
      for (const refusal of refusals) this.#answer(refusal);
      for (const message of messages) this.onmessage?.(message);
    });
    stdin.on('data', splitter.push);
    stdin.on('error', this.#streamFailed);
    stdin.on('end', this.#gone);
    stdin.on('close', this.#gone);
    stdout.on('error', this.#streamFailed);
    if (stdin.readableEnded || stdin.destroyed) setImmediate(this.#gone);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  /** Resolves once everything sent so far has left, or can never leave. */
  async flushed(): Promise<void> {
    await Promise.all(this.#sending);
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    // The error listeners stay: a late EPIPE must not become an uncaught exception.
    this.#streams.stdin.removeAllListeners('data');
    this.#streams.stdin.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #streamFailed = (error: Error): void => {
    this.onerror?.(error);
    this.#gone();
  };

  #write(message: JSONRPCMessage | Refusal): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('The connection is closed.'));
    const written = new Promise<void>((resolve, reject) => {
      this.#streams.stdout.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) {
          reject(error);
          return;
        }
        this.#open();
        resolve();
      });
    });
    const settled = written.then(
      () => undefined,
      () => undefined,
    );
    this.#sending.add(settled);
    void settled.then(() => this.#sending.delete(settled));
    return written;
  }

  #answer(refusal: Refusal): void {
    this.#write(refusal).catch((error: unknown) => {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    });
  }
}
