/** Receivers that do everything wrong, against a service in a process of its own, whose memory is watched. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { defer, freePort } from '#test/support/process.ts';
import { drip, pour, startRawTarget, type Behaviour, type RawTarget } from '#test/support/raw-target.ts';
import { startReceiver, until, type Receiver } from '#test/support/receiver.ts';
import { must } from '#test/support/sandbox.ts';
import { startWebhookProcess, type WebhookProject } from '#test/support/webhooks.ts';
import type { Json } from '#test/support/builders.ts';

/** Of each endpoint, so that nothing is proven by one lucky attempt. */
const SIGN_UPS = 5;
const LIMIT_MS = 20_000;
/** So many times all that flood do it, to so many sign-ups each. */
const FLOODS = 8;
const SIGN_UPS_A_FLOOD = 10;
/** Beside what the first time costs. What pours would fill it within a moment if it were kept. */
const MAX_GROWTH_BYTES = 64 * 2 ** 20;
/** What a target gets rid of before it is cut off, at most: what is read, and the buffers of the system. */
const MAX_TAKEN_BYTES = 32 * 2 ** 20;

const HEAD = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n';
const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
const header = Buffer.from(`x-${'y'.repeat(1_000)}: z\r\n`.repeat(64));

interface Wrong {
  readonly behave: Behaviour;
  /** How an attempt is noted. */
  readonly noted: readonly [status: number | null, error: string | null];
  readonly isSlow?: boolean;
  readonly floods?: boolean;
}

const begun = (text: string, then: (socket: Parameters<Behaviour>[0]) => void): Behaviour => {
  return (socket) => {
    socket.write(text);
    then(socket);
  };
};

const WRONG: Readonly<Record<string, Wrong>> = {
  'never answers': { behave: () => {}, noted: [null, 'timeout'], isSlow: true },
  'drips its headers': { behave: begun(`${HEAD}x-a: `, drip), noted: [null, 'timeout'], isSlow: true },
  'drips its status line': { behave: begun('HTTP/1.1 200 ', drip), noted: [null, 'timeout'], isSlow: true },
  'drips its body': {
    behave: begun(`${HEAD}content-length: 10000\r\n\r\n`, drip),
    noted: [200, 'timeout'],
    isSlow: true,
  },
  'answers a body without end': {
    behave: begun(`HTTP/1.1 500 No\r\n${CHUNKED}`, (socket) => pour(socket, chunk)),
    noted: [500, 'status'],
    floods: true,
  },
  'answers 200 and a body without end': {
    behave: begun(`${HEAD}${CHUNKED}`, (socket) => pour(socket, chunk)),
    noted: [200, null],
    floods: true,
  },
  'answers headers without end': {
    behave: begun(HEAD, (socket) => pour(socket, header)),
    noted: [null, 'invalid_answer'],
    floods: true,
  },
  'answers one header without end': {
    behave: begun(`${HEAD}x-a: `, (socket) => pour(socket, Buffer.alloc(65_536, 'x'))),
    noted: [null, 'invalid_answer'],
    floods: true,
  },
  'answers trailers without end': {
    behave: begun(`${HEAD}${CHUNKED}0\r\n`, (socket) => pour(socket, header)),
    noted: [200, 'invalid_answer'],
    floods: true,
  },
  'answers a chunk extension without end': {
    behave: begun(`${HEAD}${CHUNKED}1;`, (socket) => pour(socket, Buffer.alloc(65_536, 'x'))),
    noted: [200, 'invalid_answer'],
    floods: true,
  },
  'answers 103 without end': {
    behave: (socket) => pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n'.repeat(100))),
    noted: [null, 'invalid_answer'],
    floods: true,
  },
  'closes half-way through its body': {
    behave: (socket) => void socket.end(`${HEAD}content-length: 100\r\n\r\nx`),
    noted: [200, 'connection_closed'],
  },
  'closes half-way through its headers': {
    behave: (socket) => void socket.end(`${HEAD}content-len`),
    noted: [null, 'connection_closed'],
  },
  'closes without an answer': { behave: (socket) => void socket.end(), noted: [null, 'connection_closed'] },
  'resets the connection': {
    behave: (socket) => void socket.resetAndDestroy(),
    noted: [null, 'connection_closed'],
  },
  'answers garbage': {
    behave: (socket) => void socket.end(Buffer.from('\0\x01SSH-2.0-OpenSSH_9.9\r\n\xff', 'latin1')),
    noted: [null, 'invalid_answer'],
  },
  'answers with two lengths': {
    behave: (socket) => void socket.end(`${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
    noted: [null, 'invalid_answer'],
  },
  'changes the protocol': {
    behave: (socket) => void socket.write('HTTP/1.1 101 Hi\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nx'),
    noted: [null, 'connection_closed'],
  },
  'goes on after its answer': {
    behave: (socket) => void socket.write(`${HEAD}content-length: 0\r\n\r\n\0garbage\r\n`),
    noted: [200, null],
  },
  'sends something when nobody has asked': {
    behave: (socket) => {
      socket.write(`${HEAD}content-length: 0\r\n\r\n`);
      setTimeout(() => socket.write(`\0garbage\r\n${HEAD}`), 200);
    },
    noted: [200, null],
  },
};

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

const suite = { after };
const state = {} as { project: WebhookProject; memory(): Promise<number> };
const targets: (Pick<RawTarget, 'close'> | Receiver)[] = [];
defer(suite, async () => void (await Promise.all(targets.map((target) => target.close()))));

before(async () => {
  const metrics = `127.0.0.1:${await freePort()}`;
  const settings = { WEBHOOK_RETRY_SCHEDULE: '3600', METRICS_ADDRESS: metrics };
  state.project = (await startWebhookProcess(suite, settings)).project;
  state.memory = async () => {
    const text = await (await fetch(`http://${metrics}/metrics`)).text();
    const bytes = Number(/^\w*process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
    assert.ok(bytes > 0, 'the process tells its memory');
    return bytes;
  };
});

/** Has each endpoint be sent something and waits for what became of it; the deliveries by endpoint. */
async function attemptsOn(ids: readonly string[]): Promise<Map<string, Json[]>> {
  const found = new Map<string, Json[]>();
  await state.project.signUp(SIGN_UPS);
  await until(
    'every attempt',
    async () => {
      for (const id of ids.filter((each) => !found.has(each))) {
        const deliveries = await state.project.deliveries(`filter[endpoint][eq]=${id}`);
        if (deliveries.length === SIGN_UPS && deliveries.every(({ attempts }) => attempts.length > 0)) {
          found.set(id, deliveries);
        }
      }
      return found.size === ids.length;
    },
    // What has begun to fail is sent fewer at once.
    3 * LIMIT_MS,
  );
  return found;
}

describe('a receiver', () => {
  test('that does anything wrong is left in time and noted', async (context) => {
    const { project } = state;
    const endpoints = new Map<string, Wrong & { readonly name: string; readonly target: RawTarget }>();
    for (const [name, wrong] of Object.entries(WRONG)) {
      const target = await startRawTarget(wrong.behave);
      targets.push(target);
      endpoints.set((await project.endpoint(target.url)).id, { ...wrong, name, target });
    }
    context.after(async () => {
      for (const id of endpoints.keys()) must(await project.call('DELETE', `/webhook-endpoints/${id}`), 204);
    });
    const found = await attemptsOn([...endpoints.keys()]);
    for (const [id, { name, noted, isSlow, floods, target }] of endpoints) {
      for (const { attempts, state } of found.get(id) ?? []) {
        const [{ status_code: status, error, latency_ms: latency }] = attempts;
        assert.deepEqual([status, error], noted, name);
        assert.equal(state, error === null ? 'succeeded' : 'pending', name);
        assert.ok(latency < LIMIT_MS && latency >= (isSlow === true ? 14_900 : 0), `${name}: ${latency} ms`);
        // Only what hangs is waited for.
        assert.ok(isSlow === true || latency < 10_000, `${name}: ${latency} ms`);
      }
      // Whoever floods is cut off, and does not pour until the time is over.
      if (floods === true) {
        await until('all connections closed', () => target.seen.open === 0);
        assert.ok(target.seen.written < SIGN_UPS * MAX_TAKEN_BYTES, `${name}: ${target.seen.written} bytes`);
      }
    }
  });

  test('that floods, again and again, leaves the memory of the service as it was', async (context) => {
    const { project } = state;
    const wrong = Object.values(WRONG).filter(({ floods }) => floods === true);
    const flooding = await Promise.all(wrong.map(({ behave }) => startRawTarget(behave)));
    targets.push(...flooding);
    const ids: string[] = [];
    for (const { url } of flooding) ids.push((await project.endpoint(url)).id);
    const memory: number[] = [];
    for (let flood = 1; flood <= FLOODS; flood += 1) {
      let most = 0;
      await project.signUp(SIGN_UPS_A_FLOOD);
      const isOver = ({ seen }: RawTarget): boolean => seen.requests === flood * SIGN_UPS_A_FLOOD && seen.open === 0;
      await until('all are cut off', async () => {
        most = Math.max(most, await state.memory());
        return flooding.every(isOver);
      });
      memory.push(most);
    }
    const written = flooding.reduce((sum, { seen }) => sum + seen.written, 0);
    context.diagnostic(`${megabytes(written)} poured; resident memory ${memory.map(megabytes).join(', ')}`);
    const [first = 0, ...others] = memory;
    assert.ok(Math.max(...others) - first < MAX_GROWTH_BYTES, memory.map(megabytes).join(', '));
    for (const id of ids) must(await project.call('DELETE', `/webhook-endpoints/${id}`), 204);
  });

  test('that redirects is not followed, whichever way', async () => {
    const { project } = state;
    const elsewhere = await startReceiver();
    const codes = [301, 302, 303, 307, 308] as const;
    const receiver = await startReceiver((response, index) =>
      response.writeHead(codes[index] ?? 500, { location: elsewhere.url, refresh: `0; ${elsewhere.url}` }).end(),
    );
    targets.push(elsewhere, receiver);
    const { id } = await project.endpoint(receiver.url);
    const deliveries = (await attemptsOn([id])).get(id) ?? [];
    const noted = deliveries.map(({ attempts }) => [attempts[0].status_code, attempts[0].error]);
    assert.deepEqual(
      noted.sort(([one], [other]) => one - other),
      codes.map((code) => [code, 'redirect']),
    );
    assert.equal(receiver.received.length, codes.length);
    assert.equal(elsewhere.received.length, 0);
    await project.call('DELETE', `/webhook-endpoints/${id}`);
  });

  test('that answers 410 is gone: its endpoint says so, and nothing more is sent', async () => {
    const { project } = state;
    const receiver = await startReceiver((response) => response.writeHead(410).end());
    const other = await startReceiver();
    targets.push(receiver, other);
    const [{ id }, { id: otherId }] = [await project.endpoint(receiver.url), await project.endpoint(other.url)];
    await project.signUp();
    await until('disabled', async () => !(await project.readEndpoint(id)).enabled);
    const { status } = await project.readEndpoint(id);
    assert.equal(status.disabled_reason, 'gone');
    const [delivery] = await project.deliveries(`filter[endpoint][eq]=${id}`);
    assert.deepEqual([delivery.attempts[0].status_code, delivery.attempts[0].error], [410, 'status']);
    await project.signUp(SIGN_UPS);
    // When the neighbour has been sent everything, so would this one have been.
    const created = (): number => other.received.filter(({ event }) => event.type === 'subscription.created').length;
    await until('all at the other', () => created() === 1 + SIGN_UPS);
    assert.equal(receiver.received.length, 1);
    for (const each of [id, otherId]) must(await project.call('DELETE', `/webhook-endpoints/${each}`), 204);
  });
});
