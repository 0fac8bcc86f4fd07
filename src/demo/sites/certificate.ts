import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

// X.509 in DER (RFC 5280), the minimum that TLS needs: Node can make keys, but no certificates.

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  // The shortest form: OpenSSL accepts no other.
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.of(0), bytes);
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`));

const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const VERSION_3 = Buffer.from('a003020102', 'hex');
// basicConstraints, critical, CA:TRUE.
const IS_AUTHORITY = Buffer.from('300f0603551d130101ff040530030101ff', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');

// X.520: a common name has 64 characters at most; TLS checks the name in the extension.
const nameOf = (text: string): Buffer =>
  sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text.slice(0, 64))))));
const altName = (name: string): Buffer =>
  sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x82, Buffer.from(name, 'latin1')))));

function signed(
  subject: string,
  publicKey: KeyObject,
  issuer: string,
  issuerKey: KeyObject,
  extension: Buffer,
  until = new Date('2199-01-01'),
): string {
  const serial = der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)]));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const validity = sequence(time(new Date('2020-01-01')), time(until));
  const extensions = der(0xa3, sequence(extension));
  const facts = sequence(VERSION_3, serial, ECDSA_SHA256, nameOf(issuer), validity, nameOf(subject), spki, extensions);
  const certificate = sequence(facts, ECDSA_SHA256, bits(sign('sha256', facts, issuerKey)));
  const lines = certificate.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** A key with its certificate, both PEM. */
export interface Pair {
  key: string;
  cert: string;
}

/**
 * Makes a certificate authority for the edge of a demo: new at every start, never stored. `ca` is its certificate, PEM; a
 * certificate is valid until 2199, or another day.
 */
export function startAuthority(): { ca: string; issue: (name: string, until?: Date) => Pair } {
  const issuer = 'seo-admin demo';
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // One key for all names, to save time: only the certificates differ.
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    ca: signed(issuer, root.publicKey, issuer, root.privateKey, IS_AUTHORITY),
    issue: (name, until) => ({
      key,
      cert: signed(name, leaf.publicKey, issuer, root.privateKey, altName(name), until),
    }),
  };
}
