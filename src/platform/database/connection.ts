import { Client, type ClientConfig } from 'pg';
import { messageOf } from '../message-of.ts';
import { failWhereGarbled } from './garbled.ts';

/** A server that cannot be reached, or takes nobody in, is given up; one that sleeps until it is asked needs a moment. */
const CONNECT_LIMIT_MS = 30_000;

/** Settings of a session in which no text of a value or a name depends on what a server, a role or a database has set. */
export const SAME_TEXT_EVERYWHERE = `
  set search_path = public; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1; set standard_conforming_strings = on;
  set quote_all_identifiers = off; set client_encoding = 'UTF8'`;

/**
 * Lifts what a role or database limits whole transactions to: of this one, or of the session. PostgreSQL knows such a limit
 * from 17 on, and takes the setting of one it does not know for a mistake.
 */
export function liftTransactionTimeout(of: 'transaction' | 'session'): string {
  return `select set_config(name, '0', ${of === 'transaction'}) from pg_settings where name = 'transaction_timeout'`;
}

/**
 * A machine or a network that fails says no word: what waits for an answer, as long as it may take, would wait for ever. After
 * so long in silence the system asks whether the other end is there, and gives it up ten seconds later.
 */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** How to connect by a URL. @throws Error with a sentence for the operator, without the URL, which holds a password */
export function connectionOf(url: string): ClientConfig {
  const connection = { connectionString: strictly(url), ...KEEP_ALIVE };
  try {
    // Reads it, and the files that it names; nothing is connected.
    void new Client(connection);
  } catch (error) {
    const isMalformed = error instanceof TypeError || error instanceof URIError;
    const advice = isMalformed
      ? '; it names one server, and signs such as # / ? @ % in a password must be percent-encoded'
      : '';
    throw new Error(`DATABASE_URL cannot be read: ${messageOf(error)}${advice}`, { cause: error });
  }
  return connection;
}

/**
 * The modes of TLS that the driver takes for `verify-full` by that name: it warns at each start that a later version of it
 * will check less, and nobody would notice. Who asks for the meanings of libpq has them.
 */
function strictly(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full');
}

/** The same connection with these options of the server's command line, which win over those that a URL has. */
export function withOptions(connection: ClientConfig, options: string): ClientConfig {
  const { connectionString } = connection;
  const query = connectionString?.split('?').slice(1).join('?') ?? '';
  const own = new URLSearchParams(query).get('options');
  if (own === null) return { ...connection, options };
  // What a URL says stands before what is said beside it; of a parameter that comes twice the last one counts.
  return { ...connection, connectionString: `${connectionString}&options=${encodeURIComponent(`${own} ${options}`)}` };
}

/**
 * A connection of its own, beside the pool; to be ended by the caller.
 * @param name what the server shows it as
 * @throws Error when nobody answers in time
 */
export async function openClient(
  connection: ClientConfig,
  name: string,
  limitMs: number = CONNECT_LIMIT_MS,
): Promise<Client> {
  const client = new Client({ ...connection, application_name: name, connectionTimeoutMillis: limitMs });
  // A connection that dies fails the statement under way; without a listener it would end the process as well.
  client.on('error', () => {});
  failWhereGarbled(client);
  const begin = performance.now();
  await client.connect().catch((error: unknown) => {
    if (performance.now() - begin < limitMs) throw error;
    throw unanswered(limitMs, error);
  });
  return client;
}

/** What an operator is told where the database has said nothing for so long. */
export function unanswered(limitMs: number, cause: unknown): Error {
  return new Error(`the database did not answer within ${limitMs / 1000} s`, { cause });
}
