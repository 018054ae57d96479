import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { ClientConfig } from 'pg';

/** What lies between the service and its database, and does what networks do. */
export interface Proxy {
  /** The database behind it, in the form of `DATABASE_URL`. */
  readonly url: string;
  /** From now on whatever the server sends arrives so much later. */
  slow(milliseconds: number): void;
  /** From now on nothing arrives, either way; connections stay open, and new ones are taken. */
  hold(): void;
  /** Lets go what was held, and everything to come. */
  release(): void;
  /** From now on nothing arrives on the connections that there are; new ones are as ever. */
  forget(): void;
  /** Ends all connections, and lets none be made until `release`. */
  cut(): void;
  /** Ends each connection once the server has sent so many bytes more on it. */
  cutAfter(bytes: number): void;
  /** Of what the server sends next on the connections that there are two bytes get lost: on each from another one on. */
  lose(): void;
  close(): Promise<void>;
}

/** A direction of a connection: what came is passed on in order. */
interface Pipe {
  push(chunk: Buffer): void;
  flush(): void;
  forget(): void;
}

/** The connections on both sides. */
interface Pair {
  readonly sockets: readonly Socket[];
  readonly pipes: readonly Pipe[];
  bytesLeft: number;
  losesAt: number;
}

/** What is left of a chunk from the server when the pair has lost what it is to lose. */
function take(pair: Pair, chunk: Buffer): Buffer {
  const whole = Buffer.concat([chunk.subarray(0, pair.losesAt), chunk.subarray(pair.losesAt + 2)]);
  pair.losesAt = Infinity;
  const passed = whole.subarray(0, pair.bytesLeft);
  pair.bytesLeft -= passed.length;
  return passed;
}

/** Keeps what it is given while it is held. */
function createPipe(target: Socket, state: { readonly isHeld: boolean }): Pipe {
  const kept: Buffer[] = [];
  let isForgotten = false;
  const flush = (): void => {
    if (!state.isHeld) for (const chunk of kept.splice(0)) target.write(chunk);
  };
  return {
    flush,
    forget() {
      isForgotten = true;
    },
    push(chunk) {
      if (isForgotten) return;
      kept.push(chunk);
      flush();
    },
  };
}

/** Stands before a database server; until told otherwise it passes everything on. */
export async function startProxy({ host = '', port = 5432, user = '', database = '' }: ClientConfig): Promise<Proxy> {
  const state = { delayMs: 0, isHeld: false, isCut: false, bytesLeft: Infinity };
  const pairs = new Set<Pair>();
  const server = createServer((client) => {
    if (state.isCut) return void client.on('error', () => {}).resetAndDestroy();
    const target = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const [toServer, toClient] = [createPipe(target, state), createPipe(client, state)];
    const pair = {
      sockets: [client, target],
      pipes: [toServer, toClient],
      bytesLeft: state.bytesLeft,
      losesAt: Infinity,
    };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair.sockets) socket.destroy();
    };
    for (const socket of pair.sockets) socket.on('error', end).on('close', end);
    client.on('data', (chunk: Buffer) => toServer.push(chunk));
    target.on('data', (chunk: Buffer) => {
      const passed = take(pair, chunk);
      const pass = (): void => {
        toClient.push(passed);
        if (pair.bytesLeft === 0) end();
      };
      if (state.delayMs === 0) pass();
      else setTimeout(pass, state.delayMs);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = (): void => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
  };
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `postgres://${encodeURIComponent(user)}@127.0.0.1:${own}/${database}`,
    slow: (milliseconds) => void (state.delayMs = milliseconds),
    hold: () => void (state.isHeld = true),
    forget() {
      for (const { pipes } of pairs) for (const pipe of pipes) pipe.forget();
    },
    release() {
      Object.assign(state, { delayMs: 0, isHeld: false, isCut: false, bytesLeft: Infinity });
      for (const pair of pairs) {
        pair.bytesLeft = Infinity;
        for (const pipe of pair.pipes) pipe.flush();
      }
    },
    cut() {
      state.isCut = true;
      endAll();
    },
    cutAfter(bytes) {
      state.bytesLeft = bytes;
      for (const pair of pairs) pair.bytesLeft = bytes;
    },
    lose() {
      for (const [index, pair] of [...pairs].entries()) pair.losesAt = index;
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
