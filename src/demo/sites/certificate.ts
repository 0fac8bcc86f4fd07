import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// X.509 in DER (RFC 5280), as little of it as TLS takes: Node makes keys, but no certificates.

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.of(0), bytes);
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`));

const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const VERSION_3 = Buffer.from('a003020102', 'hex');

const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));

/** A key and a certificate that it has signed itself, for the edge of a demo: new at every start, kept nowhere. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serial = der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)]));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const validity = sequence(time(new Date('2020-01-01')), time(new Date('2199-01-01')));
  const facts = sequence(VERSION_3, serial, ECDSA_SHA256, nameOf(name), validity, nameOf(name), spki);
  const certificate = sequence(facts, ECDSA_SHA256, bits(sign('sha256', facts, privateKey)));
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
