import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** The service's settings. Each is one environment variable; this file is their only reader. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Processes that serve HTTP; 1: everything is in one process. */
  readonly processes: number;
  /** `null`: an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** 32 bytes; `null` with an embedded database: kept in `dataDir`. */
  readonly encryptionKey: Buffer | null;
  readonly bootstrapClientId: string | null;
  readonly bootstrapClientSecret: string | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly publicUrl: string | null;
  /** Requests per second for each credential; `null`: no limit. */
  readonly rateLimit: number | null;
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Addresses, or ranges in CIDR notation, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly webhooks: WebhookConfig;
}

/** How webhooks are sent. */
export interface WebhookConfig {
  /** Whether private targets and any port may be sent to; for development and tests. */
  readonly allowPrivate: boolean;
  /** Seconds before each attempt after the first. */
  readonly retrySchedule: readonly number[];
  /** Ports that may be sent to beside the usual ones. */
  readonly ports: readonly number[];
}

/** One setting as docs/operations.md shows it. */
export interface SettingDescription {
  readonly name: string;
  readonly fallback: string;
  /** Markdown. */
  readonly meaning: string;
}

/** A setting that cannot be used; its message is a sentence that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const LEVELS = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(LOG_LEVELS);

/** Every setting, its default and its meaning. */
export const SETTINGS: readonly SettingDescription[] = [
  { name: 'HOST', fallback: '127.0.0.1', meaning: 'Address to listen on; of a name with several, the first.' },
  { name: 'PORT', fallback: '3000', meaning: 'Port to listen on; 0 takes a free one.' },
  {
    name: 'PROCESSES',
    fallback: '1',
    meaning: 'Processes that serve HTTP on that port, 1 to 16; from 2 on beside one for the background work.',
  },
  { name: 'DATABASE_URL', fallback: '(embedded)', meaning: 'PostgreSQL ≥ 15 to use instead of the embedded one.' },
  { name: 'DATA_DIR', fallback: './data', meaning: 'Where the embedded database and its key are kept.' },
  {
    name: 'ENCRYPTION_KEY',
    fallback: '(created in DATA_DIR)',
    meaning:
      '32 random bytes, base64 or hex, that encrypt bank details and webhook secrets. Required with `DATABASE_URL`.',
  },
  {
    name: 'BOOTSTRAP_CLIENT_ID',
    fallback: '(created)',
    meaning: "Client id of the sandbox project's first credential: 1 to 200 of `A-Z`, `a-z`, `0-9`, `_` and `-`.",
  },
  {
    name: 'BOOTSTRAP_CLIENT_SECRET',
    fallback: '(created)',
    meaning: 'Its secret: 32 to 200 of the same characters, so none of the `+`, `/` and `=` of base64.',
  },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: `${LEVELS}.` },
  { name: 'PUBLIC_URL', fallback: 'http://HOST:PORT', meaning: 'Base URL that clients use; stands in links.' },
  {
    name: 'RATE_LIMIT',
    fallback: '100',
    meaning: 'Requests per second for each credential (bursts of twice that), those below `/oauth` included, or off.',
  },
  {
    name: 'TRUSTED_PROXIES',
    fallback: '(none)',
    meaning: 'Addresses or ranges (CIDR) of proxies whose `X-Forwarded-For` is believed, with commas between.',
  },
  {
    name: 'METRICS_ADDRESS',
    fallback: 'off',
    meaning: 'host:port of the Prometheus listener (`GET /metrics`), or off.',
  },
  {
    name: 'WEBHOOK_PORTS',
    fallback: '(none)',
    meaning: 'Ports that webhooks may be sent to beside 443, with commas between.',
  },
  {
    name: 'WEBHOOK_ALLOW_PRIVATE',
    fallback: 'false',
    meaning: '`true` lets webhooks go to private addresses and any port; for development and tests only.',
  },
  {
    name: 'WEBHOOK_RETRY_SCHEDULE',
    // interface.md §8
    fallback: 'PT5S,PT5M,PT30M,PT2H,PT5H,PT10H,PT14H,PT20H,PT24H',
    meaning: 'Pauses before each further attempt of a webhook: ISO 8601 durations or seconds, with commas between.',
  },
];

const FALLBACKS = new Map(SETTINGS.map(({ name, fallback }) => [name, fallback]));

/** Families of names in which an unknown one can only be a mistake. */
const FAMILIES =
  /^(BOOTSTRAP_|ENCRYPTION_|RATE_LIMIT|METRICS_|WEBHOOK_|PUBLIC_URL|TRUSTED_|LOG_LEVEL|DATABASE_URL|DATA_DIR|PROCESSES)/;

/** A name as somebody may have it in mind: whatever its case, and where its words part. */
function folded(name: string): string {
  return name.replace(/[_-]/g, '').toUpperCase();
}

/** Names of several words; whoever has `port` set may mean anything by it. */
const DISTINCTIVE = new Map(SETTINGS.filter(({ name }) => name.includes('_')).map(({ name }) => [folded(name), name]));

/** Reads the settings. @throws ConfigError naming the setting that is unknown or malformed */
export function readConfig(environment: Environment = process.env): Config {
  const known = new Set(SETTINGS.map(({ name }) => name));
  for (const name of Object.keys(environment)) {
    if (known.has(name)) continue;
    const meant = DISTINCTIVE.get(folded(name));
    if (meant !== undefined) throw new ConfigError(`${name} is not a setting: ${meant} is`);
    if (FAMILIES.test(name)) throw new ConfigError(`${name} is not a setting; see docs/operations.md`);
  }
  const value = (name: string): string | null => {
    const text = environment[name]?.trim();
    return text === undefined || text === '' ? null : text;
  };
  const valueOrFallback = (name: string): string => value(name) ?? FALLBACKS.get(name) ?? '';
  const config: Config = {
    host: readHost('HOST', valueOrFallback('HOST')),
    port: readPort('PORT', valueOrFallback('PORT')),
    processes: readProcesses(valueOrFallback('PROCESSES')),
    databaseUrl: readDatabaseUrl(value('DATABASE_URL')),
    dataDir: resolve(valueOrFallback('DATA_DIR')),
    encryptionKey: readKey(value('ENCRYPTION_KEY')),
    bootstrapClientId: readToken('BOOTSTRAP_CLIENT_ID', value('BOOTSTRAP_CLIENT_ID'), 1),
    bootstrapClientSecret: readToken('BOOTSTRAP_CLIENT_SECRET', value('BOOTSTRAP_CLIENT_SECRET'), 32),
    logLevel: readLogLevel(valueOrFallback('LOG_LEVEL')),
    publicUrl: readPublicUrl(value('PUBLIC_URL')),
    rateLimit: readRateLimit(valueOrFallback('RATE_LIMIT')),
    metrics: readMetrics(valueOrFallback('METRICS_ADDRESS')),
    trustedProxies: readProxies(value('TRUSTED_PROXIES')),
    webhooks: {
      allowPrivate: readSwitch('WEBHOOK_ALLOW_PRIVATE', valueOrFallback('WEBHOOK_ALLOW_PRIVATE')),
      retrySchedule: readRetrySchedule(valueOrFallback('WEBHOOK_RETRY_SCHEDULE')),
      ports: readPorts('WEBHOOK_PORTS', value('WEBHOOK_PORTS')),
    },
  };
  if (config.metrics !== null && config.port !== 0 && config.metrics.port === config.port)
    throw new ConfigError('METRICS_ADDRESS must have another port than PORT');
  if (config.databaseUrl !== null && config.encryptionKey === null) {
    throw new ConfigError('ENCRYPTION_KEY is required with DATABASE_URL: 32 random bytes in base64 or hex');
  }
  if ((config.bootstrapClientId === null) !== (config.bootstrapClientSecret === null)) {
    const missing = config.bootstrapClientId === null ? 'BOOTSTRAP_CLIENT_ID' : 'BOOTSTRAP_CLIENT_SECRET';
    throw new ConfigError(`${missing} is missing: BOOTSTRAP_CLIENT_ID and BOOTSTRAP_CLIENT_SECRET go together`);
  }
  return config;
}

function readHost(name: string, text: string): string {
  if (isIP(text) === 0 && !/^[\w.-]+$/.test(text))
    throw new ConfigError(`${name} must have a name, or an address such as 127.0.0.1 or ::1, not "${text}"`);
  return text;
}

function readPort(name: string, text: string, least = 0): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < least || port > 65_535)
    throw new ConfigError(`${name} must be a port from ${least} to 65535, not "${text}"`);
  return port;
}

/** With more, their connections would not fit into a PostgreSQL as it is set up by most. */
const MAX_PROCESSES = 16;

function readProcesses(text: string): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_PROCESSES)
    throw new ConfigError(`PROCESSES must be a whole number from 1 to ${MAX_PROCESSES}, not "${text}"`);
  return count;
}

function readDatabaseUrl(text: string | null): string | null {
  if (text === null) return null;
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://');
  return text;
}

/** Reads 32 bytes from base64, base64url or hex. */
export function readKey(text: string | null): Buffer | null {
  if (text === null) return null;
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  const wellFormed = /^[0-9a-f]{64}$/i.test(text) || /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (!wellFormed || key.length !== 32) throw new ConfigError('ENCRYPTION_KEY must be 32 bytes in base64 or hex');
  return key;
}

function readToken(name: string, text: string | null, minimum: number): string | null {
  if (text === null) return null;
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(text) || text.length < minimum) {
    throw new ConfigError(`${name} must be ${minimum} to 200 characters of A-Z, a-z, 0-9, _ and -`);
  }
  return text;
}

function readLogLevel(text: string): Config['logLevel'] {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) throw new ConfigError(`LOG_LEVEL must be ${LEVELS}, not "${text}"`);
  return level;
}

function readPublicUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.parse(text);
  // It stands in every answer.
  if (url !== null && (url.username !== '' || url.password !== ''))
    throw new ConfigError('PUBLIC_URL must be a URL without user and password');
  if (url === null || !['http:', 'https:'].includes(url.protocol) || /[?#]/.test(text)) {
    throw new ConfigError(`PUBLIC_URL must be an http or https URL without query, not "${text}"`);
  }
  return url.href.replace(/\/+$/, '');
}

function readRateLimit(text: string): number | null {
  if (text === 'off') return null;
  const limit = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 0;
  if (limit === 0)
    throw new ConfigError(`RATE_LIMIT must be a whole number of requests per second or off, not "${text}"`);
  return limit;
}

function readMetrics(text: string): Config['metrics'] {
  if (text === 'off') return null;
  const match = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(text);
  if (match === null) throw new ConfigError(`METRICS_ADDRESS must be host:port or off, not "${text}"`);
  return { host: readHost('METRICS_ADDRESS', match[1] ?? ''), port: readPort('METRICS_ADDRESS', match[2] ?? '') };
}

function readList(text: string | null): string[] {
  return text === null ? [] : text.split(',').map((part) => part.trim());
}

function readProxies(text: string | null): string[] {
  const parts = readList(text);
  for (const part of parts) {
    const [address = '', bits, ...rest] = part.split('/');
    const most = isIP(address) === 6 ? 128 : 32;
    const isRange = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
    if (isIP(address) === 0 || !isRange || rest.length > 0)
      throw new ConfigError(`TRUSTED_PROXIES must be IP addresses or ranges such as 10.0.0.0/8, not "${part}"`);
  }
  return parts;
}

function readSwitch(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new ConfigError(`${name} must be true or false, not "${text}"`);
  return text === 'true';
}

function readPorts(name: string, text: string | null): number[] {
  return readList(text).map((part) => readPort(name, part, 1));
}

const MAX_RETRIES = 50;
/** Deliveries are kept for so long. */
const MAX_PAUSE_SECONDS = 30 * 24 * 3600;

function readRetrySchedule(text: string): number[] {
  const pauses = readList(text).map((part) => readSeconds(part));
  if (pauses.length > MAX_RETRIES || !pauses.every((pause) => pause >= 0 && pause <= MAX_PAUSE_SECONDS)) {
    throw new ConfigError(
      `WEBHOOK_RETRY_SCHEDULE must be at most ${MAX_RETRIES} ISO 8601 durations or numbers of seconds, each at most 30 days, not "${text}"`,
    );
  }
  return pauses;
}

/** Days and times, each unit once: `Temporal` takes the last of several, and months have no certain length. */
const DURATION = /^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/;

/** The seconds of an ISO 8601 duration or a number; NaN for anything else. */
function readSeconds(text: string): number {
  if (/^\d{1,7}(?:\.\d{1,3})?$/.test(text)) return Number(text);
  if (!DURATION.test(text)) return NaN;
  try {
    return Temporal.Duration.from(text).total('seconds');
  } catch {
    return NaN;
  }
}
