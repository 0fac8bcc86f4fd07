import { createPrivateKey, type KeyObject } from 'node:crypto';
import ssh2, { type ParsedKey } from 'ssh2';
import { ProviderError } from '../provider-error.ts';

const PEM = /^\s*-----BEGIN /;

/** Whether a secret is a private key rather than a password. */
export const isPrivateKey = (secret: string): boolean => PEM.test(secret);

/**
 * Reads a private key. Throws `credentials` with the code `key_encrypted` for one with a passphrase, `key_unreadable` for an
 * invalid one.
 */
export function parsePrivateKey(secret: string): ParsedKey {
  const pem = `${secret.trim()}\n`;
  const key = ssh2.utils.parseKey(asOldPem(pem));
  // OpenSSH's own format marks encryption inside, PKCS#8 and PEM in their first lines.
  if (key instanceof Error && /encrypted/i.test(`${key.message} ${pem.slice(0, 200)}`)) {
    throw new ProviderError('credentials', 'the private key has a passphrase', { code: 'key_encrypted' });
  }
  if (key instanceof Error || !key.isPrivateKey()) {
    throw new ProviderError('credentials', 'the private key cannot be read', { code: 'key_unreadable' });
  }
  return key;
}

/** Converts PKCS#8, which OpenSSL writes today but ssh2 does not read. */
function asOldPem(pem: string): string {
  if (!pem.startsWith('-----BEGIN PRIVATE KEY-----')) return pem;
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return pem;
  }
  if (key.asymmetricKeyType === 'rsa') return key.export({ format: 'pem', type: 'pkcs1' }).toString();
  return key.asymmetricKeyType === 'ec' ? key.export({ format: 'pem', type: 'sec1' }).toString() : pem;
}
