/** Projects and lives of a bench's service, led through its own interface: the patterns of what is loaded. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { maloOf } from '#test/support/malo.ts';
import { fetchToken, send } from '#test/support/service.ts';
import { CLIENT, runCommand } from './generator.ts';
import { readPattern, type Columns, type Pattern, type Person } from './pattern.ts';
import type { Share } from './loader.ts';

/** A project with a credential and a plan. */
export interface BenchProject {
  /** `prj_…` */
  readonly id: string;
  /** `crd_…` */
  readonly credential: string;
  readonly token: string;
  /** `pln_…` */
  readonly planId: string;
  /** Calls the interface. @throws unless it succeeds */
  readonly call: (method: string, path: string, body?: unknown, key?: string) => Promise<Record<string, unknown>>;
}

/** The project of the first start. */
export async function firstProject(dataDir: string, url: string): Promise<BenchProject> {
  const { items } = (await runCommand(dataDir, 'project', 'list')) as { items: { id: string }[] };
  const id = items[0]?.id ?? '';
  const credentials = (await runCommand(dataDir, 'credential', 'list', '--project', id)) as { items: { id: string }[] };
  return openProject(url, id, credentials.items[0]?.id ?? '', CLIENT);
}

/** A sandbox project of its own, with a plan. */
export async function anotherProject(dataDir: string, url: string, name: string): Promise<BenchProject> {
  const { id } = (await runCommand(dataDir, 'project', 'create', '--name', name, '--mode', 'sandbox')) as {
    id: string;
  };
  const made = (await runCommand(dataDir, 'credential', 'create', '--project', id, '--name', name)) as Record<
    string,
    string
  >;
  const client = { clientId: made['client_id'] ?? '', clientSecret: made['client_secret'] ?? '' };
  const token = await fetchToken(url, client);
  await send(url, 'POST', '/plans', { token, body: { name, price: 12.9 } });
  return openProject(url, id, made['id'] ?? '', client);
}

async function openProject(url: string, id: string, credential: string, client: typeof CLIENT): Promise<BenchProject> {
  const token = await fetchToken(url, client);
  const call: BenchProject['call'] = async (method, path, body, key) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const reply = await send(url, method, path, { token, body, headers });
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.json as Record<string, unknown>;
  };
  const { items } = (await call('GET', '/plans')) as { items: { id: string }[] };
  return { id, credential, token, planId: items[0]?.id ?? '', call };
}

/** Of all models, and of what is loaded from them. */
export const MODEL_IBAN = 'DE89370400440532013000';

/** Whose texts no other text of the same life contains. */
export function modelPerson(number: number): Person {
  return {
    firstName: 'Modestine',
    lastName: 'Musterlein',
    company: 'Musterwerke GmbH',
    email: `modestine.${number}@model.example`,
    street: 'Modellgasse',
    city: 'Modellstadt',
    zip: '51147',
    meterNumber: `1MOD${String(number).padStart(10, '0')}`,
    malo: maloOf(900_000_000 + number),
    externalId: `model-order-${number}`,
    reference: `model-reference-${number}`,
    idempotencyKey: `model-key-${number}`,
    usage: '3517',
  };
}

/** How a model life differs from that of a person with a known market location who leaves no supplier. */
export interface Variation {
  readonly isCompany?: boolean;
  readonly knowsLocation?: boolean;
  readonly supplier?: string;
  readonly zip?: string;
  readonly channel?: string;
  /** `YYYY-MM-DD`; the next possible start when absent. */
  readonly startsOn?: string;
}

/** A life that is led, to be read as a pattern when it has come where it shall. */
export interface Model {
  readonly id: string;
  readonly person: Person;
}

/** Signs up a model life. */
export async function signUpModel(project: BenchProject, number: number, variation: Variation = {}): Promise<Model> {
  const person = { ...modelPerson(number), ...(variation.zip === undefined ? {} : { zip: variation.zip }) };
  const { startsOn } = variation;
  const start = startsOn === undefined ? {} : { intended_start_date: startsOn };
  const body = { ...bodyOf(project, person, variation), next_possible_start: startsOn === undefined, ...start };
  const { id } = await project.call('POST', '/subscriptions', body, person.idempotencyKey);
  return { id: String(id), person };
}

/** Writes down a model lead. */
export async function createModelLead(project: BenchProject, number: number): Promise<Model> {
  const person = modelPerson(number);
  const { id } = await project.call('POST', '/leads', bodyOf(project, person, {}), person.idempotencyKey);
  return { id: String(id), person };
}

function bodyOf(project: BenchProject, person: Person, variation: Variation): Record<string, unknown> {
  const { isCompany = false, knowsLocation = true, supplier, channel = 'web' } = variation;
  return {
    plan: project.planId,
    customer: {
      type: isCompany ? 'company' : 'person',
      ...(isCompany ? { company_name: person.company } : {}),
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
    },
    address: { street: person.street, house_number: '17', zip: person.zip, city: person.city },
    meter: {
      number: person.meterNumber,
      type: 'modern',
      estimated_usage: Number(person.usage),
      ...(knowsLocation ? { malo: person.malo } : {}),
    },
    payment_method: {
      type: 'sepa_debit',
      sepa_debit: { iban: MODEL_IBAN, account_holder: `${person.firstName} ${person.lastName}` },
    },
    ...(supplier === undefined ? {} : { previous_supplier: supplier }),
    external_id: person.externalId,
    metadata: { channel, reference: person.reference },
  };
}

/** The id of a supplier of the simulated market. */
export async function supplierOf(project: BenchProject, behaviour: string): Promise<string> {
  const { items } = (await project.call('GET', `/suppliers?search=${encodeURIComponent(behaviour)}`)) as {
    items: { id: string; name: string }[];
  };
  const found = items.find(({ name }) => name.endsWith(behaviour));
  if (found === undefined) throw new Error(`no supplier ${behaviour}`);
  return found.id;
}

/** Moves the project's own clock. */
export async function advance(project: BenchProject, by: string): Promise<void> {
  await project.call('POST', '/sandbox/clock', { advance_by: by });
}

/** Waits until all events have their places in the feed, and the audit log is chained. */
export async function settled(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`
      select from events where transaction_id >= (select published from event_feed_state)
      union all select from audit_log where transaction_id >= (select chained from audit_blocks_state) limit 1`);
    if (rows.length === 0) return;
    await sleep(20);
  }
}

/** Reads a model as the pattern of lives in another project. @param stage where it must have come; null of a lead */
export async function readModel(
  client: Client,
  columns: Columns,
  from: BenchProject,
  to: BenchProject,
  { id, person }: Model,
  stage: string | null,
): Promise<Pattern> {
  await settled(client);
  if (stage !== null) {
    const { stage: reached } = await from.call('GET', `/subscriptions/${id}`);
    if (reached !== stage) throw new Error(`the model is in stage ${String(reached)} instead of ${stage}`);
  }
  const pairs = [
    [from.id, to.id, 'prj'],
    [from.credential, to.credential, 'crd'],
  ] as const;
  const replaced = new Map(
    pairs.flatMap(([own, other, prefix]) => [
      [parseId(prefix, own) ?? '', parseId(prefix, other) ?? ''],
      [own.slice(prefix.length + 1), other.slice(prefix.length + 1)],
    ]),
  );
  return readPattern(client, columns, id, person, replaced);
}

/** Leads lives to everywhere a subscription can be, and reads them in the shares that a supplier has of them. */
export async function readModels(
  client: Client,
  columns: Columns,
  from: BenchProject,
  to: BenchProject,
): Promise<Share[]> {
  const shares: Share[] = [];
  const take = async (model: Model, stage: string, share: number): Promise<void> => {
    shares.push({ pattern: await readModel(client, columns, from, to, model, stage), share });
  };
  const confirms = await supplierOf(from, 'confirms');
  let count = 0;
  const signUp = (variation: Variation = {}): Promise<Model> => signUpModel(from, (count += 1), variation);
  const terminate = (model: Model, reason: string): Promise<unknown> =>
    from.call('POST', `/subscriptions/${model.id}/terminate`, { reason });

  const [plain, company, unknown] = [
    await signUp(),
    await signUp({ isCompany: true }),
    await signUp({ knowsLocation: false }),
  ];
  const switched = await signUp({ supplier: confirms, channel: 'portal' });
  const [ended, moved, withdrawn] = [await signUp({ channel: 'phone' }), await signUp(), await signUp()];
  await advance(from, 'PT1H');
  await terminate(withdrawn, 'withdrawal');
  await advance(from, 'P90D');
  await terminate(ended, 'ordinary');
  await advance(from, 'P120D');
  await terminate(moved, 'ordinary');
  const stuck = await signUp({ zip: '99902' });
  await advance(from, 'P5D');
  const { now } = (await from.call('GET', '/sandbox/clock')) as { now: string };
  const startsOn = Temporal.PlainDate.from(now.slice(0, 10)).add({ days: 60 }).toString();
  const confirmed = await signUp({ channel: 'phone', startsOn });
  await advance(from, 'P4D');
  const [registering, identifying] = [await signUp(), await signUp({ knowsLocation: false })];
  const cancelling = await signUp({ supplier: confirms });
  await advance(from, 'PT1M');

  for (const [model, share] of [
    [plain, 400],
    [company, 70],
    [unknown, 120],
    [switched, 100],
  ] as const) {
    await take(model, 'supplying', share);
  }
  await take(moved, 'ending', 10);
  await take(ended, 'ended', 150);
  await take(withdrawn, 'ended', 50);
  await take(confirmed, 'confirmed', 50);
  await take(stuck, 'registering', 5);
  await take(registering, 'registering', 15);
  await take(identifying, 'identifying', 15);
  await take(cancelling, 'cancelling', 15);
  return shares;
}
