import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { databaseAddress, isPostgres } from '../../lib/database-address.ts';
import {
  acceptBlocklist,
  blocklistStatus,
  rollBackBlocklist,
  updateBlocklist,
} from '../../services/checks/blocklist.ts';
import type { BlocklistMeta, BlocklistStatus } from '../../shared/checks/blocklist.ts';
import { requireHost, requireKnown, usageError, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import { asListJob, auditIfOpened } from '../../services/system/list-command.ts';
import { keepInput, watchInterrupt, type Interrupt } from '../terminal/interrupt.ts';
import { startProgress } from '../terminal/show-progress.ts';

interface UpdateFlags {
  file?: string;
  url?: string;
  accept?: boolean;
}

/** `blocklist accept`: the held list becomes the current one. */
export const accept = (context: Context): Promise<Result> => decide(context, acceptBlocklist);

/** `blocklist rollback`: the former list becomes the current one again. */
export const rollback = (context: Context): Promise<Result> => decide(context, rollBackBlocklist);

async function decide(context: Context, change: (blocklistDir: string) => Promise<BlocklistMeta>): Promise<Result> {
  await requireDecider(context);
  const meta = await change(context.config().blocklistDir);
  await auditIfOpened(context.config().blocklistDir, () => isOpened(context));
  return { data: meta, text: `${inWords(context, meta)}\n${context.say('cli.list_check')}` };
}

/** As `requireHost`, and says who decides. */
async function requireDecider(context: Context): Promise<void> {
  await requireHost(context);
  if (context.options.as === undefined) await context.act();
}

/** Opens the database where there is one. A command on the list works without it as well: false where it can't be opened now. */
async function isOpened(context: Context): Promise<boolean> {
  if (context.options.as !== undefined) return true;
  const address = databaseAddress(context.config());
  if (!isPostgres(address) && !existsSync(address)) return false;
  return context.open().then(
    () => true,
    () => false,
  );
}

/** `blocklist update`: takes a list from a file or a URL; a list that looks wrong is held. */
export async function update(context: Context, { file, url, accept }: UpdateFlags): Promise<Result> {
  if (file !== undefined && url !== undefined) throw usageError('cli.conflict', { reason: '--file, --url' });
  const interrupt = watchInterrupt();
  await requireDecider(context);
  const config = context.config();
  const source = file === undefined ? { url: url ?? config.blocklistUrl } : await fileGiven(file, interrupt.signal);
  if (source === null) return interrupted(context, interrupt);
  const progress = startProgress(context, 'blocklist update', context.say('cli.loading_blocklist'));
  const work = async (): Promise<BlocklistMeta | null> => {
    const ending = interrupt.signal;
    try {
      return await updateBlocklist(config.blocklistDir, { ...source, accept, ending }, ({ bytes, total }) =>
        progress.update({ done: bytes, total, failed: 0 }),
      );
    } catch (error) {
      if (!ending.aborted) throw error;
      return null;
    }
  };
  try {
    const isOpen = await isOpened(context);
    const meta = await (isOpen ? asListJob(work) : work());
    if (meta === null) return interrupted(context, interrupt);
    await auditIfOpened(config.blocklistDir, () => isOpen || isOpened(context));
    // Formatting numbers loads Intl, which the formats for programs don't need.
    return context.asked.format === 'human' ? { data: meta, text: inWords(context, meta) } : { data: meta };
  } finally {
    await progress.end();
    if ('remove' in source) await source.remove?.();
  }
}

interface GivenFile {
  file: string;
  source?: string;
  remove?: () => Promise<void>;
}

/** Returns the file of a list; standard input is kept in one, since a list is read more than once. Null where that was stopped. */
async function fileGiven(file: string, signal: AbortSignal): Promise<GivenFile | null> {
  if (file !== '-') return { file };
  keepInput(null);
  const dir = await mkdtemp(join(tmpdir(), 'seo-admin-list-'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  const path = join(dir, 'stdin');
  try {
    await pipeline(process.stdin, createWriteStream(path), { signal });
  } catch (error) {
    await remove();
    if (signal.aborted) return null;
    throw error;
  }
  return { file: path, source: 'stdin', remove };
}

function interrupted({ say }: Context, interrupt: Interrupt): Result {
  const exit = interrupt.exit();
  return { exit, failure: { exit, code: 'interrupted', message: say('cli.interrupted_update') } };
}

/** `blocklist status`. */
export async function status(context: Context): Promise<Result> {
  await requireKnown(context);
  const { blocklistDir } = context.config();
  const found = await blocklistStatus(blocklistDir);
  return { data: found, text: statusInWords(context, found) };
}

function statusInWords(context: Context, found: BlocklistStatus): string {
  const { say } = context;
  const lines: string[] = [];
  if (found.age_hours === null) lines.push(say(found.state === 'missing' ? 'check.list_missing' : 'cli.list_damaged'));
  else lines.push(inWords(context, found), say('cli.list_age', { hours: found.age_hours }));
  if (found.state === 'stale') lines.push(say('check.list_stale'));
  const { doubt, former } = found;
  if (doubt) {
    const { reason, source, found, expected } = doubt;
    lines.push(say(`cli.list_${reason}`, { source, found, expected }));
  }
  if (former) lines.push(say('cli.list_former', { total: former.total, taken_at: former.taken_at }));
  return lines.join('\n');
}

function inWords({ say }: Context, { source, format, entries, unusable, fetched_at }: BlocklistMeta): string {
  const { exact, mask, url } = entries;
  return say('cli.list', { source, format, exact, mask, url, unusable, fetched_at });
}
