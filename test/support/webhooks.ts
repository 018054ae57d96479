import { Webhook } from 'standardwebhooks';
import { otherProject, signUpBody, type Json } from './builders.ts';
import { createTestDatabase } from './database.ts';
import { defer, startProcess, type ServiceProcess, type Tidied } from './process.ts';
import type { Received } from './receiver.ts';
import { must } from './sandbox.ts';
import { fetchToken, send, type CallOptions, type Reply, type TestService } from './service.ts';

type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

/** A sandbox project of its own that webhooks are sent from. */
export interface WebhookProject {
  readonly call: Call;
  /** Signs up, so many at once; gives the ids. */
  signUp(count?: number, overrides?: Readonly<Record<string, unknown>>): Promise<string[]>;
  endpoint(url: string, more?: object): Promise<Json>;
  readEndpoint(id: string): Promise<Json>;
  /** Every delivery, newest first, read in pages. */
  deliveries(query?: string): Promise<Json[]>;
  /** Whether any delivery is in that state. */
  isAny(state: 'pending' | 'succeeded' | 'failed'): Promise<boolean>;
  /** Every event, oldest first, read in pages. */
  events(): Promise<Json[]>;
}

/** The project that a function calls as. */
export async function projectOf(call: Call): Promise<WebhookProject> {
  const plan = must(await call('POST', '/plans', { body: { name: 'Plan', price: 10 } }), 201).id as string;
  const list = async (path: string, cursorName: string): Promise<Json[]> => {
    const items: Json[] = [];
    for (let cursor: string | null = null; ;) {
      const from: string = cursor === null ? '' : `&${cursorName}=${encodeURIComponent(cursor)}`;
      const page = must(await call('GET', `${path}${from}`), 200);
      items.push(...page.items);
      cursor = page.next_page;
      if (page.has_more !== true) return items;
    }
  };
  return {
    call,
    signUp: (count = 1, overrides = {}) => {
      const sign = async (): Promise<string> =>
        must(await call('POST', '/subscriptions', { body: signUpBody(plan, overrides) }), 201).id;
      return Promise.all(Array.from({ length: count }, sign));
    },
    endpoint: async (url, more = {}) => must(await call('POST', '/webhook-endpoints', { body: { url, ...more } }), 201),
    readEndpoint: async (id) => must(await call('GET', `/webhook-endpoints/${id}`), 200),
    deliveries: (query = '') => list(`/webhook-deliveries?limit=100&${query}`, 'cursor'),
    isAny: async (state) =>
      must(await call('GET', `/webhook-deliveries?limit=1&filter[state][eq]=${state}`), 200).items.length > 0,
    events: () => list('/events?limit=500', 'after'),
  };
}

/** A new project of a service in this process. */
export async function openProject(service: TestService): Promise<WebhookProject> {
  const project = await otherProject(service);
  return projectOf((method, path, options) => project.call(method, path, options));
}

/** What the library of Standard Webhooks says of a request. */
export function isVerified({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const CLIENT = { clientId: 'webhooks', clientSecret: 'a-secret-that-lives-as-long-as-its-database' };

/** Settings of a service that sends to receivers of this machine. */
export const PROCESS_SETTINGS = {
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  BOOTSTRAP_CLIENT_ID: CLIENT.clientId,
  BOOTSTRAP_CLIENT_SECRET: CLIENT.clientSecret,
} as const;

/** Calls a process that was started with `PROCESS_SETTINGS`. */
export async function callerOf(url: string): Promise<Call> {
  const token = await fetchToken(url, CLIENT);
  return (method, path, options = {}) => send(url, method, path, { token, ...options });
}

/** A service in a process of its own, on a database of its own, and its project. */
export async function startWebhookProcess(
  context: Tidied,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly process: ServiceProcess; readonly project: WebhookProject }> {
  const database = await createTestDatabase();
  defer(context, () => database.drop());
  const process = startProcess(context, {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...PROCESS_SETTINGS,
    ...settings,
  });
  return { process, project: await projectOf(await callerOf(await process.ready())) };
}

/** How often each subscription's sequence falls from one request to the next. */
export function fallsOf(received: readonly Received[]): number {
  const last = new Map<string, number>();
  let falls = 0;
  for (const { event } of received) {
    const { id } = event.data.subscription;
    if (event.sequence < (last.get(id) ?? 0)) falls += 1;
    last.set(id, event.sequence);
  }
  return falls;
}

/** The value of which so large a share is not greater. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;
}
