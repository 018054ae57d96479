/**
 * What webhooks may be sent to: never to the operator's own network. A URL is checked when it is written down and again
 * before each attempt (`checkUrl`), the address when it is connected to (`createSafeLookup`).
 */
import { Resolver } from 'node:dns/promises';
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

/** What decides whether a URL may be a target. */
export interface TargetRules {
  readonly mode: 'live' | 'sandbox';
  /** Opens private targets and any port; for development and tests. */
  readonly allowPrivate: boolean;
  /** What the operator allows beside the usual ports. */
  readonly ports: readonly number[];
}

/** A URL has so many characters at most. */
const MAX_URL_LENGTH = 2000;

const USUAL_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** Names that mean something in a local network only, whatever a resolver says (RFC 6761, RFC 6762, RFC 8375, ICANN). */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/** IANA's special-purpose registries, and what clouds answer metadata on. */
const FORBIDDEN_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Within global unicast: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const FORBIDDEN_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const forbidden = new BlockList();
for (const [net, prefix] of FORBIDDEN_IPV4) forbidden.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of FORBIDDEN_IPV6) forbidden.addSubnet(net, prefix, 'ipv6');
/** All that IANA has given to anybody; loopback, local, multicast and IPv4-compatible addresses lie outside. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
/** IPv4-mapped addresses, and what NAT64 translates: as good as the IPv4 address in their last four bytes. */
const embedding = new BlockList();
embedding.addSubnet('::ffff:0:0', 96, 'ipv6');
embedding.addSubnet('64:ff9b::', 96, 'ipv6');

/** Whether an IP address, as it is connected to, is none of the public internet's; also true for what is no address. */
export function isForbiddenAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return forbidden.check(address, 'ipv4');
  // A zone names an interface of this machine.
  if (version !== 6 || address.includes('%')) return true;
  if (embedding.check(address, 'ipv6')) return forbidden.check(lastFourBytes(address), 'ipv4');
  return !globalUnicast.check(address, 'ipv6') || forbidden.check(address, 'ipv6');
}

/** The IPv4 address at the end of an IPv6 address. */
function lastFourBytes(address: string): string {
  // The URL parser writes it in hexadecimal groups, without a dotted end.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  return groups
    .map((group) => (group === '' ? 0 : Number.parseInt(group, 16)))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** What is wrong with a URL as a target, in words; `null`: nothing. It may still resolve to a forbidden address. */
export function checkUrl(text: string, { mode, allowPrivate, ports }: TargetRules): string | null {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  // What the URL parser would silently drop or turn into something else.
  if (/[\s\p{C}\\]/u.test(text)) return 'must have no blanks, control characters or backslashes';
  const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null;
  if (url === null) return 'must be a URL such as https://example.com/webhooks';
  if (url.protocol !== 'https:' && mode === 'live') return 'must begin with https:// in a live project';
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  if (text.includes('#')) return 'must have no fragment';
  const usual = USUAL_PORTS[url.protocol];
  const port = url.port === '' ? usual : Number(url.port);
  if (port === undefined || port === 0 || !(allowPrivate || port === usual || ports.includes(port))) {
    return `must not have the port ${url.port}: only ${[usual, ...ports].join(', ')}`;
  }
  return allowPrivate || isPublicHost(url.hostname) ? null : 'must have a host of the public internet';
}

/** @param host as the URL parser writes it: lower case, addresses in their usual notation */
function isPublicHost(host: string): boolean {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(address) !== 0) return !isForbiddenAddress(address);
  // A name without a dot is looked for in the local network.
  return host.includes('.') && !host.endsWith('.') && !LOCAL_NAMES.test(host);
}

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** What a safe lookup needs. */
export interface SafeLookupOptions {
  readonly allowPrivate: boolean;
  /** Absent: the name servers of this machine. */
  readonly resolve?: Resolve;
}

/**
 * A `lookup` for `http.request` and `https.request` that finds no forbidden address: what it answers is what is connected
 * to, however the name resolves the next time. A name of which any address is forbidden is refused altogether, with the
 * code `EFORBIDDEN`. Node looks only names up: an address in the URL itself is `checkUrl`'s to refuse.
 */
export function createSafeLookup({ allowPrivate, resolve }: SafeLookupOptions): LookupFunction {
  if (allowPrivate && resolve === undefined) return systemLookup;
  const find = resolve ?? createResolve();
  return (hostname, options, callback) => {
    const family = familyOf(options.family);
    const answer = async (): Promise<readonly LookupAddress[]> => {
      const all = await find(hostname);
      if (!allowPrivate && all.some(({ address }) => isForbiddenAddress(address))) {
        throw failure('EFORBIDDEN', `${hostname} has a forbidden address`);
      }
      const fitting = all.filter((each) => family === 0 || each.family === family);
      if (fitting.length === 0) throw failure('ENOTFOUND', `${hostname} has no address`);
      return fitting;
    };
    callbackify(answer)((error, addresses) => {
      // The types say otherwise, but of both one is there.
      const [first] = (error as unknown) === null ? addresses : [];
      if (first === undefined) callback(error, '');
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Asks name servers for the addresses of a name, by family. */
export interface NameServers {
  readonly resolve4: (hostname: string) => Promise<readonly string[]>;
  readonly resolve6: (hostname: string) => Promise<readonly string[]>;
}

const RESOLVE_TIMEOUT_MS = 2_000;
const RESOLVE_TRIES = 2;
/** Which name servers there are is read when a resolver is made, and never again; a machine may be given others. */
const RESOLVER_LIFETIME_MS = 30_000;

/**
 * Asks the name servers itself: the system's lookup has four threads for the whole process, and a few names that are not
 * answered would hold up all others. IPv4 comes first, because many machines have no other.
 */
export function createResolve(
  make: () => NameServers = askedByUs,
  monotonicMs: () => number = () => performance.now(),
): Resolve {
  let [resolver, madeAt] = [make(), monotonicMs()];
  return async (hostname) => {
    if (monotonicMs() - madeAt >= RESOLVER_LIFETIME_MS) [resolver, madeAt] = [make(), monotonicMs()];
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    const addressesOf = (found: typeof four, family: 4 | 6): LookupAddress[] =>
      found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
    return [...addressesOf(four, 4), ...addressesOf(six, 6)];
  };
}

function askedByUs(): NameServers {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: RESOLVE_TRIES });
  return { resolve4: (hostname) => resolver.resolve4(hostname), resolve6: (hostname) => resolver.resolve6(hostname) };
}

function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  return family ?? 0;
}

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
