/** X.509 certificates for TLS receivers, made anew for each run, so that no key lies in the repository. */
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate and its key, in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

/** An authority that certifies. */
export interface Authority {
  /** In PEM. */
  readonly cert: string;
  certify(wanted: Wanted): Certified;
}

/** What is certified. */
export interface Wanted {
  readonly dnsNames?: readonly string[];
  /** IPv4. */
  readonly addresses?: readonly string[];
  readonly validDays?: { readonly from: number; readonly to: number };
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = oid('06082a8648ce3d040302');
const COMMON_NAME = oid('0603550403');
const BASIC_CONSTRAINTS = oid('0603551d13');
const SUBJECT_ALT_NAME = oid('0603551d11');
const TRUE = Buffer.from('0101ff', 'hex');

function oid(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** One value of DER: tag, length, content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...content: readonly Buffer[]): Buffer => der(0x30, ...content);
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));

/** `YYYYMMDDHHMMSSZ`, so many days from now. */
function instantIn(days: number): Buffer {
  const text = new Date(Date.now() + days * DAY_MS).toISOString().replace(/\.\d+|[-:T]/g, '');
  return der(0x18, Buffer.from(text));
}

function extensionsOf(isAuthority: boolean, { dnsNames = [], addresses = [] }: Wanted): Buffer {
  const names = [
    ...dnsNames.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
  const constraints = sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(...(isAuthority ? [TRUE] : []))));
  const altNames = names.length === 0 ? [] : [sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...names)))];
  return der(0xa3, sequence(constraints, ...altNames));
}

interface Parties {
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly subject: string;
  readonly publicKey: KeyObject;
}

function certificateOf(
  { issuer, issuerKey, subject, publicKey }: Parties,
  isAuthority: boolean,
  wanted: Wanted,
): string {
  const { from, to } = wanted.validDays ?? { from: -1, to: 30 };
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sequence(ECDSA_WITH_SHA256),
    nameOf(issuer),
    sequence(instantIn(from), instantIn(to)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    extensionsOf(isAuthority, wanted),
  );
  const whole = sequence(signed, sequence(ECDSA_WITH_SHA256), bits(sign('sha256', signed, issuerKey)));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

const newKeys = (): { privateKey: KeyObject; publicKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' });

/** An authority of one's own. */
export function createAuthority(name: string): Authority {
  const { privateKey: issuerKey, publicKey } = newKeys();
  return {
    cert: certificateOf({ issuer: name, issuerKey, subject: name, publicKey }, true, {}),
    certify(wanted) {
      const { privateKey, publicKey } = newKeys();
      const cert = certificateOf({ issuer: name, issuerKey, subject: 'receiver', publicKey }, false, wanted);
      return { cert, key: pemOf(privateKey) };
    },
  };
}

/** A certificate that nobody but itself speaks for. */
export function selfSigned(wanted: Wanted): Certified {
  const { privateKey, publicKey } = newKeys();
  const parties = { issuer: 'self', issuerKey: privateKey, subject: 'self', publicKey };
  return { cert: certificateOf(parties, false, wanted), key: pemOf(privateKey) };
}
