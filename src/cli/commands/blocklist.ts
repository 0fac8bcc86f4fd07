import type { Command } from 'commander';
import type { BlocklistMeta, BlocklistStatus } from '../../shared/blocklist.ts';
import { requireHost, usageError, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import { startProgress } from '../show-progress.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface UpdateFlags {
  file?: string;
  url?: string;
}

/** `blocklist update|status`. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('update')
    .description(help['blocklist update'])
    .option('-f, --file <file>', help['blocklist.file'])
    .option('--url <url>', help['blocklist.url'])
    .action(act(update));
  noun.command('status').description(help['blocklist status']).action(act(status));
}

async function update(context: Context, { file, url }: UpdateFlags): Promise<Result> {
  if (file !== undefined && url !== undefined) throw usageError('cli.conflict', { reason: '--file, --url' });
  await requireHost(context);
  const config = context.config();
  const { updateBlocklist } = await import('../../services/blocklist.ts');
  const progress = startProgress(context, 'blocklist update', context.say('cli.loading_blocklist'));
  try {
    const source = file === undefined ? { url: url ?? config.blocklistUrl } : { file };
    const meta = await updateBlocklist(config.blocklistDir, source, ({ bytes, total }) =>
      progress.update({ done: bytes, total, failed: 0 }),
    );
    // Numbers in words wake Intl, which a program has no use for.
    return context.asked.format === 'human' ? { data: meta, text: inWords(context, meta) } : { data: meta };
  } finally {
    await progress.end();
  }
}

async function status(context: Context): Promise<Result> {
  const { blocklistDir } = context.config();
  const { blocklistStatus } = await import('../../services/blocklist.ts');
  const found = await blocklistStatus(blocklistDir);
  return { data: found, text: statusInWords(context, found) };
}

function statusInWords(context: Context, found: BlocklistStatus): string {
  if (found.age_hours === null) {
    return context.say(found.state === 'missing' ? 'check.list_missing' : 'cli.list_damaged');
  }
  const age = context.say('cli.list_age', { hours: found.age_hours });
  return `${inWords(context, found)}\n${age}${found.state === 'stale' ? `\n${context.say('check.list_stale')}` : ''}`;
}

function inWords({ say }: Context, { source, format, entries, unusable, fetched_at }: BlocklistMeta): string {
  const { exact, mask, url } = entries;
  return say('cli.list', { source, format, exact, mask, url, unusable, fetched_at });
}
