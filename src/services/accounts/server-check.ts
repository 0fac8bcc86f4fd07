import { randomBytes } from 'node:crypto';
import { servers, type ServerRow } from '../../shared/accounts/tables.ts';
import { transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import type { Config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import { WEB_ROOT } from '../../shared/accounts/servers.ts';
import { setServerTest } from './rows.ts';
import { openServer } from './servers.ts';
import { findTeamRow } from './team.ts';

// A person waits for the answer.
const PATIENCE_MS = 25_000;

/** The result of testing a server: `code` is null where all is well, `said` is the message for a person. */
export interface ServerCheck {
  code: string | null;
  said: Message;
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

type Found = Pick<ServerCheck, 'code' | 'said'>;

/** Returns the result for an error; null for a bug. */
function faultOf(error: unknown, host: string, signal: AbortSignal): Found | null {
  if (signal.aborted) return { code: 'provider_unavailable', said: { key: 'server.silent', params: { host } } };
  const said = messageFor(error);
  if (!said) return null;
  if (error instanceof AppError) return { code: error.code, said };
  const { kind, code } = error as ProviderError;
  const key = NETWORK[String(code)];
  return { code: `provider_${kind}`, said: key ? { key, params: { host } } : said };
}

/** Whether sites can be put here: the web root is there, and a file can be made in it and removed. */
async function checkWebRoot(sftp: Sftp): Promise<Found> {
  const params = { root: WEB_ROOT };
  const probe = `${WEB_ROOT}/.seo-admin-${randomBytes(6).toString('hex')}`;
  if ((await sftp.list(WEB_ROOT)) === null) {
    return { code: 'no_web_root', said: { key: 'server.no_web_root', params } };
  }
  try {
    await sftp.writeFile(probe, new Uint8Array());
    await sftp.removeFile(probe);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
    return { code: 'not_writable', said: { key: 'server.not_writable', params } };
  }
  return { code: null, said: { key: 'server.works', params } };
}

/**
 * Tests a server (login, SFTP, web root) and stores the result. The caller needs no right to the server's secret, which
 * goes to the server's own host only. Throws AppError `not_found`.
 */
export async function checkServer(config: Config, id: number): Promise<ServerCheck> {
  const row = await findTeamRow<ServerRow>('servers', id);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let found: Found | null;
  let sftp: Sftp | undefined;
  try {
    sftp = await openServer(config, id, signal);
    found = await checkWebRoot(sftp);
  } catch (error) {
    found = faultOf(error, row.ssh_host, signal);
    if (!found) throw error;
  } finally {
    await sftp?.close();
  }
  return { ...found, ...(await keep(row, found)) };
}

/** Stores a result and returns the server's host keys. A server whose login was edited meanwhile is left alone. */
async function keep(row: ServerRow, { code, said }: Found): Promise<Pick<ServerCheck, 'host_key' | 'host_key_seen'>> {
  const checked_at = new Date().toISOString();
  const check_error = code === null ? null : JSON.stringify(said);
  const kept = await transaction(async () => {
    await setServerTest(row, { checked_at, check_error });
    return findRow(servers, row.id);
  });
  return { host_key: kept?.host_key ?? null, host_key_seen: kept?.host_key_seen ?? null };
}
