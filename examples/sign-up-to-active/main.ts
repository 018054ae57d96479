/** A customer from sign-up to supply in a sandbox project, told step by step while the events are followed beside it. */
import { randomBytes } from 'node:crypto';
import { createClient, WattlineError, type WattlineClient } from '@wattline/client';

/** A setting of the environment. @throws when it is missing */
function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`set ${name}`);
  return value;
}

function tell(step: string, what: string): void {
  process.stdout.write(`${step.padEnd(10)} ${what}\n`);
}

/** The first item of a list that fits. @throws when there is none */
async function first<Item>(items: AsyncIterable<Item>, fits: (item: Item) => boolean, what: string): Promise<Item> {
  for await (const item of items) if (fits(item)) return item;
  throw new Error(`there is no ${what}`);
}

/** Signs a customer up and gives the ID of the subscription. */
async function signUp(client: WattlineClient): Promise<string> {
  const plan = await first(client.list('/plans'), ({ active }) => active, 'active plan');
  tell('plan', `${plan.name}, ${plan.price} ${plan.currency} a month`);
  const suppliers = client.list('/suppliers', { params: { query: { search: 'Sandbox Supplier' } } });
  const supplier = await first(suppliers, ({ name }) => name.endsWith('– confirms'), 'supplier that confirms');
  tell('supplier', supplier.name);
  const { data: subscription } = await client.POST('/subscriptions', {
    body: {
      plan: plan.id,
      customer: { type: 'person', first_name: 'Erika', last_name: 'Mustermann', email: 'erika@example.com' },
      address: { street: 'Heidestraße', house_number: '17', zip: '51147', city: 'Köln' },
      // A number of its own for each run: a meter can be signed up once only.
      meter: { number: `1EMH${randomBytes(5).toString('hex')}`, type: 'modern', estimated_usage: 3500 },
      payment_method: {
        type: 'sepa_debit',
        sepa_debit: { iban: 'DE89370400440532013000', account_holder: 'Erika Mustermann' },
      },
      previous_supplier: supplier.id,
      next_possible_start: true,
    },
  });
  tell('signed up', `${subscription.id}, ${subscription.status}, ${subscription.stage}`);
  return subscription.id;
}

/** Tells every event of the subscription until it is supplied. */
async function followEvents(client: WattlineClient, id: string, signal: AbortSignal): Promise<void> {
  for await (const { event } of client.events({ types: ['subscription.*'], signal })) {
    if (!('subscription' in event.data) || event.data.subscription.id !== id) continue;
    tell('event', `${event.timestamp} ${event.type}: ${event.data.subscription.stage}`);
    if (event.type === 'subscription.activated') return;
  }
}

/** Lets the project's time pass, day by day, until the subscription is active. @throws when it never is */
async function advanceUntilActive(client: WattlineClient, id: string): Promise<void> {
  const days = 30;
  for (let day = 1; day <= days; day += 1) {
    const { data: clock } = await client.POST('/sandbox/clock', { body: { advance_by: 'P1D' } });
    const { data: subscription } = await client.GET('/subscriptions/{id}', { params: { path: { id } } });
    tell('clock', `${clock.now}: ${subscription.status}, ${subscription.stage}`);
    if (subscription.status === 'active') return;
  }
  throw new Error(`not active after ${days} days`);
}

async function main(): Promise<void> {
  const client = createClient({
    baseUrl: setting('BASE_URL'),
    clientId: setting('CLIENT_ID'),
    clientSecret: setting('CLIENT_SECRET'),
  });
  const id = await signUp(client);
  const stop = new AbortController();
  try {
    await Promise.all([followEvents(client, id, stop.signal), advanceUntilActive(client, id)]);
  } finally {
    stop.abort();
  }
  tell('done', `${id} is active`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof WattlineError ? `${error.message} [${error.requestId}]` : String(error)}\n`);
  process.exitCode = 1;
}
