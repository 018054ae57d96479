import { createServer, type AddressInfo, type Socket } from 'node:net';

/** What a target does once the head of a request has come; `index` counts requests, from 0 on. */
export type Behaviour = (socket: Socket, index: number) => void;

/** A target that speaks bytes: as wrong as it likes. */
export interface RawTarget {
  readonly url: string;
  readonly seen: { requests: number; open: number; written: number };
  close(): Promise<void>;
}

/** Starts a target of this machine. */
export async function startRawTarget(behave: Behaviour): Promise<RawTarget> {
  const seen = { requests: 0, open: 0, written: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    seen.open += 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      seen.open -= 1;
      seen.written += socket.bytesWritten;
    });
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.includes('POST /')) return;
      seen.requests += 1;
      behave(socket, seen.requests - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    seen,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes without end, as fast as it is taken. */
export function pour(socket: Socket, chunk: Buffer): void {
  if (socket.destroyed) return;
  while (socket.write(chunk));
  socket.once('drain', () => pour(socket, chunk));
}

/** Writes one byte every second. */
export function drip(socket: Socket, byte = 'x'): void {
  const timer = setInterval(() => socket.write(byte), 1_000);
  socket.on('close', () => clearInterval(timer));
}
