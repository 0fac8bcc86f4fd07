import type { Command } from 'commander';
import type { BlocklistMeta, BlocklistStatus } from '../../shared/checks/blocklist.ts';
import { requireHost, usageError, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import { startProgress } from '../terminal/show-progress.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface UpdateFlags {
  file?: string;
  url?: string;
  accept?: boolean;
}

/** `blocklist update|status|accept|rollback`. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('update')
    .description(help['blocklist update'])
    .option('-f, --file <file>', help['blocklist.file'])
    .option('--url <url>', help['blocklist.url'])
    .option('--accept', help['blocklist.accept'])
    .action(act(update));
  noun
    .command('accept')
    .description(help['blocklist accept'])
    .action(act(decide('accept')));
  noun
    .command('rollback')
    .description(help['blocklist rollback'])
    .action(act(decide('rollback')));
  noun.command('status').description(help['blocklist status']).action(act(status));
}

/** Accepts the held list, or rolls back to the former one. */
const decide =
  (decision: 'accept' | 'rollback') =>
  async (context: Context): Promise<Result> => {
    await requireHost(context);
    const { blocklistDir } = context.config();
    const { acceptBlocklist, rollBackBlocklist } = await import('../../services/checks/blocklist.ts');
    const meta = await (decision === 'accept' ? acceptBlocklist : rollBackBlocklist)(blocklistDir);
    return { data: meta, text: `${inWords(context, meta)}\n${context.say('cli.list_check')}` };
  };

async function update(context: Context, { file, url, accept }: UpdateFlags): Promise<Result> {
  if (file !== undefined && url !== undefined) throw usageError('cli.conflict', { reason: '--file, --url' });
  await requireHost(context);
  const config = context.config();
  const { updateBlocklist } = await import('../../services/checks/blocklist.ts');
  const progress = startProgress(context, 'blocklist update', context.say('cli.loading_blocklist'));
  try {
    const source = file === undefined ? { url: url ?? config.blocklistUrl } : { file };
    const meta = await updateBlocklist(config.blocklistDir, { ...source, accept }, ({ bytes, total }) =>
      progress.update({ done: bytes, total, failed: 0 }),
    );
    // Formatting numbers loads Intl, which the formats for programs don't need.
    return context.asked.format === 'human' ? { data: meta, text: inWords(context, meta) } : { data: meta };
  } finally {
    await progress.end();
  }
}

async function status(context: Context): Promise<Result> {
  const { blocklistDir } = context.config();
  const { blocklistStatus } = await import('../../services/checks/blocklist.ts');
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
    lines.push(say('cli.list_doubt', { reason, source, found, expected }));
  }
  if (former) lines.push(say('cli.list_former', { total: former.total, taken_at: former.taken_at }));
  return lines.join('\n');
}

function inWords({ say }: Context, { source, format, entries, unusable, fetched_at }: BlocklistMeta): string {
  const { exact, mask, url } = entries;
  return say('cli.list', { source, format, exact, mask, url, unusable, fetched_at });
}
