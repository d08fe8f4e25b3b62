/**
 * A lock that is a listening socket: an abstract Unix address on Linux, a named pipe on Windows (the latter has not been
 * run). The kernel frees the name with the process, and a waiter hears of it because its connection closes. The socket
 * speaks no protocol: what a peer sends ends its connection. Never keeps the process alive.
 */
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { errnoOf } from './disk-error.ts';
import type { HeldLock, KernelLock } from './kernel-lock.ts';

// Waiters beyond this many are turned away and fall back to asking again later; a stranger cannot use up descriptors.
const MOST_WAITERS = 64;

/** Makes the lock of one address. */
export function exclusiveSocket(path: string): KernelLock {
  return {
    tryHold: () => listen(path),
    holderGone: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve();
          return;
        }
        const socket = connect({ path });
        const end = (): void => {
          socket.destroy();
        };
        signal.addEventListener('abort', end, { once: true });
        socket.on('data', end);
        socket.on('error', end);
        socket.on('close', () => {
          signal.removeEventListener('abort', end);
          resolve();
        });
      }),
  };
}

function listen(path: string): Promise<HeldLock | null> {
  const waiters = new Set<Socket>();
  const server = createServer((socket) => {
    const end = (): void => {
      socket.destroy();
    };
    waiters.add(socket.unref());
    socket.on('data', end);
    socket.on('error', end);
    socket.on('close', () => waiters.delete(socket));
  });
  server.maxConnections = MOST_WAITERS;
  return new Promise((resolve, reject) => {
    server.on('error', (error) => {
      if (errnoOf(error) === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    // `exclusive`: in a cluster worker the address would otherwise be opened, and shared, by the primary.
    server.listen({ path, exclusive: true }, () => {
      server.unref();
      resolve({ letGo: () => close(server, waiters) });
    });
  });
}

/** Frees the name first, so that a waiter that wakes up finds it free. */
function close(server: Server, waiters: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    for (const socket of waiters) socket.destroy();
  });
}
