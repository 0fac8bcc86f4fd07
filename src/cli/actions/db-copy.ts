import { databaseOf } from '../../lib/config.ts';
import { isDatabaseUrl } from '../../lib/settings.ts';
import { isPostgres } from '../../lib/database-address.ts';
import { copyDatabase, type CopyView } from '../../services/system/copy.ts';
import { requireHostFirst, usageError, type Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import { isGiven, readAccountSecret, type SecretFlags } from '../secret.ts';

interface CopyFlags extends SecretFlags {
  dryRun?: boolean;
}

const COLUMNS = columnsOf<Required<CopyView['tables'][number]>>({ table: true, rows: true, sha256: true });

/**
 * Returns the target's address with the password of the flags. A password in the address itself is refused: every process sees
 * it; so is one for a file, which has none, and a server without the name of a database, which would choose one by the login.
 */
async function addressOf(context: Context, flags: SecretFlags, address: string): Promise<string> {
  if (!isDatabaseUrl(address) || address === '') throw usageError('copy.bad_address');
  if (!isPostgres(address)) {
    if (isGiven(flags)) throw usageError('copy.password_unused');
    return address;
  }
  const url = new URL(address);
  if (url.pathname.length < 2) throw usageError('copy.bad_address');
  if (url.password !== '' || url.searchParams.has('password')) throw usageError('copy.password');
  if (isGiven(flags)) url.password = encodeURIComponent(await readAccountSecret(context, flags, 'password'));
  return url.href;
}

/** `db copy`: copies the portfolio into another, empty database. A signal that comes before the copy is whole leaves the target empty. */
export async function copy(context: Context, flags: CopyFlags, address: string): Promise<Result> {
  const { dryRun = false } = flags;
  const to = await addressOf(context, flags, address);
  await requireHostFirst(context);
  const config = context.config();
  const interrupt = watchInterrupt();
  const { signal } = interrupt;
  const copied = await copyDatabase(config, databaseOf(to, config.dataDir), { dryRun, signal }).catch((error) => {
    if (error === signal.reason) return null;
    throw error;
  });
  if (copied === null) {
    const exit = interrupt.exit();
    return { exit, failure: { exit, code: 'interrupted', message: context.say('copy.interrupted') } };
  }
  return shown(context, copied, dryRun);
}

function shown(context: Context, view: CopyView, dryRun: boolean): Result {
  const rows = view.tables.reduce((sum, table) => sum + table.rows, 0);
  const params = { from: view.from, to: view.to, rows, key: context.config().keyFile };
  return {
    items: view.tables,
    columns: COLUMNS,
    summary: { from: view.from, to: view.to, rows, ...(dryRun && { dry_run: true }) },
    note: () => context.say(dryRun ? 'copy.would' : 'copy.done', params),
  };
}
