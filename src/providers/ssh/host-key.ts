import { createHash } from 'node:crypto';
import type { ServerHostKeyAlgorithm } from 'ssh2';

// RSA by SHA-2 only: `ssh-rsa` as an algorithm signs with SHA-1.
const ALGORITHMS: Record<string, ServerHostKeyAlgorithm[]> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
};

/** Returns the stored and shown form of a host key, as OpenSSH writes it: `ssh-ed25519 SHA256:…`. */
export function hostKeyOf(blob: Buffer): string {
  const type = blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1');
  return `${type} SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

/** Returns the kind of a host key in its stored form: `ssh-ed25519`. */
export const kindOfKey = (key: string): string => key.split(' ', 1)[0] ?? '';

/** Returns the algorithms that have a host show its key of this kind and no other; none for an unknown kind. */
export const algorithmsOf = (kind: string): ServerHostKeyAlgorithm[] => ALGORITHMS[kind] ?? [];

/**
 * Returns the algorithms of host keys to offer, that of the known key first: else a server with an additional key of a
 * preferred type would present that one, and seem to be another server.
 */
export function algorithmsFor(known: string | null): ServerHostKeyAlgorithm[] {
  const first = algorithmsOf(kindOfKey(known ?? ''));
  return [...first, ...Object.values(ALGORITHMS).flat()].filter((name, index, all) => all.indexOf(name) === index);
}
