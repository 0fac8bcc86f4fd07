import { randomBytes } from 'node:crypto';
import { findRow } from '../../../db/rows.ts';
import { asAppError, messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import { WEB_ROOT } from '../../shared/accounts/servers.ts';
import { servers } from '../../shared/accounts/tables.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key } from '../../shared/i18n/index.ts';
import { openTested } from './servers.ts';
import { PATIENCE_MS, type Login, type Tested, type Tester } from './tester.ts';

interface Details {
  host_key: string | null;
  host_key_seen: string | null;
}

// Messages for the network errors of the system.
const NETWORK: Record<string, Key> = {
  ECONNREFUSED: 'server.closed',
  ETIMEDOUT: 'server.silent',
  ENOTFOUND: 'server.unknown_host',
  EAI_AGAIN: 'server.unknown_host',
  EHOSTUNREACH: 'server.unreachable',
  ENETUNREACH: 'server.unreachable',
  ECONNRESET: 'server.dropped',
};

type Found = Pick<Tested, 'code' | 'message'>;

/** Returns the result for an error; null for a bug. */
function faultOf(error: unknown, host: string, signal: AbortSignal): Found | null {
  if (signal.aborted) return { code: 'provider_unavailable', message: { key: 'server.silent', params: { host } } };
  const message = messageFor(error);
  if (!message) return null;
  if (error instanceof AppError) return { code: error.code, message };
  const { kind, code } = error as ProviderError;
  const key = NETWORK[String(code)];
  return { code: `provider_${kind}`, message: key ? { key, params: { host } } : message };
}

/** Whether sites can be put here: the web root is there, and a file can be made in it and removed. */
async function checkWebRoot(sftp: Sftp): Promise<Found> {
  const params = { root: WEB_ROOT };
  const probe = `${WEB_ROOT}/.seo-admin-${randomBytes(6).toString('hex')}`;
  if ((await sftp.list(WEB_ROOT)) === null) {
    return { code: 'no_web_root', message: { key: 'server.no_web_root', params } };
  }
  try {
    await sftp.writeFile(probe, new Uint8Array());
    await sftp.removeFile(probe);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
    return { code: 'not_writable', message: { key: 'server.not_writable', params } };
  }
  return { code: null, message: { key: 'server.works', params } };
}

/** Tests a server: login, SFTP, web root. */
async function test({ id, fields }: Login): Promise<Tested<Details>> {
  if (id === null) throw new Error('A server is tested when it is saved: its host key has to be stored');
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let found: Found | null;
  let sftp: Sftp | undefined;
  try {
    sftp = await openTested(id, signal);
    found = await checkWebRoot(sftp);
  } catch (error) {
    found = faultOf(error, fields['ssh_host'] ?? '', signal);
    if (!found) throw error;
  } finally {
    await sftp?.close();
  }
  const { host_key = null, host_key_seen = null } = (await findRow(servers, id)) ?? {};
  return { ...found, details: { host_key, host_key_seen }, known: {} };
}

/** Throws for a private key that can't be used unattended. */
async function checkSecret(secret: string): Promise<void> {
  if (!/^\s*-----BEGIN /.test(secret)) return;
  const { parsePrivateKey } = await import('../../providers/ssh/private-key.ts');
  try {
    parsePrivateKey(secret);
  } catch (error) {
    const known = asAppError(error);
    if (!(known instanceof AppError)) throw error;
    throw new AppError('invalid', 'error.invalid', { fields: 'ssh_password' }, { fields: { ssh_password: known.key } });
  }
}

export const serverTester: Tester<Details> = { test, checkSecret };
