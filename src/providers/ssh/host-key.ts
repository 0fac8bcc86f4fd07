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

/** A host key as it is kept and shown, in OpenSSH's words: `ssh-ed25519 SHA256:…`. */
export function hostKeyOf(blob: Buffer): string {
  const type = blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1');
  return `${type} SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

/**
 * The algorithms for host keys that are asked for, the kind of the known key first: else a server that has got a key of
 * a better kind beside it would seem to be another.
 */
export function algorithmsFor(known: string | null): ServerHostKeyAlgorithm[] {
  const type = known?.split(' ', 1)[0] ?? '';
  const first = ALGORITHMS[type] ?? [];
  return [...first, ...Object.values(ALGORITHMS).flat()].filter((name, index, all) => all.indexOf(name) === index);
}
