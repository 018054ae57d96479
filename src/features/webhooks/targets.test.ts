/** What webhooks must never reach, in every notation, and what they may. */
import assert from 'node:assert/strict';
import { createServer, request, type RequestOptions } from 'node:http';
import type { AddressInfo, TcpNetConnectOpts } from 'node:net';
import { describe, test } from 'node:test';
import {
  checkUrl,
  createResolve,
  createSafeLookup,
  isForbiddenAddress,
  type NameServers,
  type Resolve,
  type TargetRules,
} from './targets.ts';

const live: TargetRules = { mode: 'live', allowPrivate: false, ports: [] };
const sandbox: TargetRules = { ...live, mode: 'sandbox' };

/** Hosts that are refused in any project. */
const FORBIDDEN_HOSTS = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'localhost.localdomain',
  'postgres',
  'metadata',
  'metadata.google.internal',
  'printer.local',
  'nas.lan',
  'router.home.arpa',
  'db.corp',
  'example.com.',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '017700000001',
  '１２７.０.０.１',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '①②⑦.0.0.1',
  'ｌｏｃａｌｈｏｓｔ',
  '0.0.0.0',
  '0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '0x0a000001',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '168.63.129.16',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.0.1',
  '192.168.257',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0:0]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::8.8.8.8]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
] as const;

const FORBIDDEN_URLS = [
  '',
  'example.com',
  '//example.com/',
  'https:example.com',
  'https:/example.com',
  'https:///example.com',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://:secret@example.com/',
  'https://127.0.0.1\\@example.com/',
  'https://example.com/#part',
  'https://example.com/#',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:0/',
  'https://example.com:8443/',
  'https://example.com:65536/',
  'https://exa\tmple.com/',
  ' https://example.com/',
  'https://example.com/\n',
  'https://example.com/\u200b',
  'https://[::1%25lo]/',
  'https://256.0.0.1/',
  `https://example.com/${'x'.repeat(2000)}`,
] as const;

describe('checkUrl', () => {
  for (const host of FORBIDDEN_HOSTS) {
    test(`refuses the host ${host}`, () => {
      assert.equal(typeof checkUrl(`https://${host}/hook`, live), 'string');
      assert.equal(typeof checkUrl(`http://${host}/hook`, sandbox), 'string');
      assert.equal(typeof checkUrl(`https://${host}:8443/hook`, { ...live, ports: [8443] }), 'string');
    });
  }

  for (const url of FORBIDDEN_URLS) {
    test(`refuses ${JSON.stringify(url.slice(0, 60))}`, () => {
      for (const rules of [live, sandbox]) assert.equal(typeof checkUrl(url, rules), 'string');
    });
  }

  test('takes https in any project, http in a sandbox only, each on its own port', () => {
    for (const url of [
      'https://example.com',
      'https://example.com:443/a?b=c',
      'https://hooks.münchen.de/ä',
      'https://8.8.8.8/',
      'https://[2606:4700:4700::1111]/',
      'https://localhost.example.com/',
      'https://10.0.0.1.example.com/',
      'https://example.com/@a',
    ]) {
      assert.equal(checkUrl(url, live), null, url);
      assert.equal(checkUrl(url, sandbox), null, url);
    }
    for (const url of ['http://example.com/', 'http://example.com:80/']) {
      assert.equal(checkUrl(url, sandbox), null);
      assert.match(checkUrl(url, live) ?? '', /https/);
      assert.match(checkUrl(url, { ...live, allowPrivate: true }) ?? '', /https/);
    }
    assert.equal(typeof checkUrl('http://example.com:443/', sandbox), 'string');
  });

  test('takes the ports that the operator allows, and with allowPrivate any port and private host', () => {
    assert.equal(checkUrl('https://example.com:8443/', { ...live, ports: [8443] }), null);
    assert.equal(typeof checkUrl('https://example.com:8444/', { ...live, ports: [8443] }), 'string');
    const open = { ...sandbox, allowPrivate: true };
    for (const url of ['http://127.0.0.1:3999/', 'http://localhost:1/', 'https://[::1]:9000/', 'http://receiver/']) {
      assert.equal(checkUrl(url, open), null, url);
    }
    for (const url of ['http://u@127.0.0.1/', 'http://127.0.0.1/#a', 'http://127.0.0.1:0/', 'ftp://127.0.0.1/']) {
      assert.equal(typeof checkUrl(url, open), 'string', url);
    }
  });
});

describe('isForbiddenAddress', () => {
  test('knows the addresses of the public internet', () => {
    for (const address of [
      '1.1.1.1',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '223.255.255.255',
      '2606:4700:4700::1111',
      '2a00:1450:4001:82f::200e',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
    ]) {
      assert.equal(isForbiddenAddress(address), false, address);
    }
  });

  test('forbids all others, and what is no address', () => {
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:10.0.0.1',
      '::ffff:0a00:0001',
      '::ffff:0:0',
      '64:ff9b::',
      '64:ff9b::a00:1',
      'fe80::1%lo',
      '2606:4700::1%eth0',
      'fdff::1',
      '2002:808:808::',
      'localhost',
      '',
      '127.1',
      '4000::1',
    ]) {
      assert.equal(isForbiddenAddress(address), true, address);
    }
  });
});

type Options = RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily'> & { readonly allowPrivate?: boolean };

/** Asks over HTTP with this lookup; the answer's status, or the code of the failure. */
function ask(resolve: Resolve, port: number, options: Options = {}): Promise<unknown> {
  const { allowPrivate = false, ...rest } = options;
  return new Promise((done) => {
    const lookup = createSafeLookup({ allowPrivate, resolve });
    request({ host: 'rebind.example.com', port, lookup, timeout: 2_000, ...rest }, (response) => {
      response.resume();
      done(response.statusCode);
    })
      .on('error', (error: NodeJS.ErrnoException) => done(error.code))
      .end();
  });
}

describe('createSafeLookup', () => {
  test('refuses a name with a forbidden address at the connection, also when it resolved to another one before', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end()).on('connection', () => (connections += 1));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const local = { address: '127.0.0.1', family: 4 };
    const elsewhere = { address: '203.0.112.1', family: 4 };
    for (const autoSelectFamily of [true, false]) {
      for (const addresses of [[local], [elsewhere, local], [{ address: '::1', family: 6 }]]) {
        assert.equal(await ask(async () => addresses, port, { autoSelectFamily }), 'EFORBIDDEN');
      }
      let calls = 0;
      const rebinding: Resolve = async () => ((calls += 1) === 1 ? [{ address: '192.0.3.1', family: 4 }] : [local]);
      await ask(rebinding, port, { autoSelectFamily, signal: AbortSignal.timeout(100) });
      assert.equal(await ask(rebinding, port, { autoSelectFamily }), 'EFORBIDDEN');
    }
    assert.equal(connections, 0);
    assert.equal(await ask(async () => [local], port, { allowPrivate: true }), 200);
    assert.equal(connections, 1);
    await new Promise((done) => server.close(done));
  });

  test('tells what failed', async () => {
    const failing: Resolve = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    assert.equal(await ask(failing, 80), 'ENOTFOUND');
    assert.equal(await ask(async () => [], 80), 'ENOTFOUND');
    assert.equal(await ask(async () => [{ address: '1.1.1.1', family: 4 }], 80, { family: 6 }), 'ENOTFOUND');
  });

  test('asks other name servers soon after the machine was given others', async () => {
    const state = { server: 1, nowMs: 0 };
    const make = (): NameServers => {
      const { server } = state;
      return { resolve4: async () => [`192.0.3.${server}`], resolve6: async () => [] };
    };
    const resolve = createResolve(make, () => state.nowMs);
    const found = async (): Promise<unknown> => (await resolve('hooks.example.com'))[0]?.address;
    assert.equal(await found(), '192.0.3.1');
    state.server = 2;
    state.nowMs = 60_000;
    assert.equal(await found(), '192.0.3.2');
  });

  test('with allowPrivate finds the names of this machine', async () => {
    const lookup = createSafeLookup({ allowPrivate: true });
    const found = await new Promise((done) => lookup('localhost', { family: 4 }, (_, address) => done(address)));
    assert.equal(found, '127.0.0.1');
  });
});
