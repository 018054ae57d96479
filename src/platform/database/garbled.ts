import type { Duplex } from 'node:stream';
import type { Client } from 'pg';

/** What reads the answers of the server; the types do not tell of it. */
interface Reader {
  attachListeners(stream: Duplex): void;
}

/**
 * Has a connection fail, and nothing else, when what comes on it cannot be read, such as where something on the way has lost
 * a part of it. `pg` throws where it reads, and nobody is there to catch it: the process would end.
 */
export function failWhereGarbled(client: Client): void {
  const { connection } = client as unknown as { readonly connection: Reader };
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    attach(stream);
    for (const read of stream.listeners('data') as ((chunk: Buffer) => void)[]) {
      stream.off('data', read).on('data', (chunk: Buffer) => {
        try {
          read(chunk);
        } catch (cause) {
          stream.destroy(new Error('connection error: what the database has sent cannot be read', { cause }));
        }
      });
    }
  };
}
