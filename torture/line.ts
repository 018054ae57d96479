import { connect, type Socket } from 'node:net';

/** How one request on a line ended. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string; readonly closes: boolean }
  /** The connection ended before a byte of the answer. */
  | { readonly kind: 'closed' }
  /** The connection ended within the answer. */
  | { readonly kind: 'cut' };

/** One connection, written to by hand. */
export interface Line {
  readonly socket: Socket;
  /** Sends a request, as it stands on the wire, and reads its answer. */
  exchange(request: string): Promise<Exchange>;
  /** Reads what comes unasked. */
  answer(): Promise<Exchange>;
}

/** @throws when nobody listens on the port */
export async function openLine(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  const state = { received: '', isClosed: false };
  let notice = (): void => {};
  socket.on('error', () => {});
  socket.once('close', () => {
    state.isClosed = true;
    notice();
  });
  socket.on('data', (text: unknown) => {
    state.received += String(text);
    notice();
  });
  const answer = (): Promise<Exchange> =>
    new Promise((resolve) => {
      notice = () => {
        const end = endOfAnswer(state.received);
        if (end !== null) {
          const text = state.received.slice(0, end);
          state.received = state.received.slice(end);
          const closes = /\r\nconnection: close/i.test(text.slice(0, text.indexOf('\r\n\r\n')));
          resolve({ kind: 'answered', status: Number(text.slice(9, 12)), text, closes });
        } else if (state.isClosed) resolve({ kind: state.received === '' ? 'closed' : 'cut' });
      };
      notice();
    });
  return {
    socket,
    answer,
    exchange(request) {
      if (!state.isClosed) socket.write(request);
      return answer();
    },
  };
}

/** Where the first answer ends, when it is whole. */
function endOfAnswer(received: string): number | null {
  const head = received.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0);
  return received.length < head + 4 + length ? null : head + 4 + length;
}

/** A request with a JSON body as it stands on the wire. */
export function jsonRequest(path: string, token: string, body: string, headers: readonly string[] = []): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
