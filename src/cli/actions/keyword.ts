import { addKeywords, deleteKeywords, findKeywords, listKeywords } from '../../services/positions/keywords.ts';
import { projectNamed } from '../../services/portfolio/projects.ts';
import type { KeywordView } from '../../shared/positions/keywords.ts';
import { usageError, type Context } from '../context.ts';
import { readLines } from '../names.ts';
import { columnsOf, type ItemError, type Result } from '../output.ts';
import { confirm } from '../secret.ts';

interface Flags {
  project: string;
  file?: string;
  dryRun?: boolean;
}

const COLUMNS = columnsOf<KeywordView>({
  id: true,
  value: 'keyword',
  tags: { title: 'tags', show: (tags) => (tags as string[]).join(', ') },
  target_url: 'target',
  frequency: true,
});

/** Returns the keywords of a command. Throws a usage error without any. */
async function requireLines(typed: string[], file: string | undefined): Promise<string[]> {
  const lines = await readLines(typed, file);
  if (lines === null) throw usageError('cli.needs_flag', { flag: '--file' });
  return lines;
}

/** `keyword list`. */
export async function list(context: Context, { project }: Flags): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  const items = await listKeywords(actor, id);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

/** `keyword add`: lines that can't be added are errors, the others are added; exit 5 where some could not. */
export async function add(context: Context, { project, file }: Flags, typed: string[]): Promise<Result> {
  const lines = await requireLines(typed, file);
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  const { added, refused } = await addKeywords(actor, id, lines);
  const errors = refused.map(({ line, keyword, reason }): ItemError => {
    return { keyword, code: reason, message: `${line}: ${keyword}: ${context.say(reason)}` };
  });
  const items = added.map((row) => ({ ...row, tags: [], target_url: null, frequency: null }));
  const text = context.say('keywords.added', { n: added.length });
  const summary = { total: items.length + errors.length, done: items.length, failed: errors.length };
  const result: Result = { items, columns: COLUMNS, summary, note: () => text, errors };
  if (refused.length === 0) return result;
  const message = context.say('keywords.add_failed', { n: refused.length, m: added.length + refused.length });
  const exit = added.length === 0 ? 1 : 5;
  return { ...result, exit, failure: { exit, code: exit === 5 ? 'partial' : 'refused', message } };
}

/**
 * `keyword remove`: keywords that the project does not have are errors. Asks where positions would be lost, which were paid and can't be
 * read again.
 */
export async function remove(context: Context, { project, file, dryRun }: Flags, typed: string[]): Promise<Result> {
  const lines = (await requireLines(typed, file)).map((line) => line.trim()).filter((line) => line !== '');
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  const { found, unknown, readings } = await findKeywords(actor, id, lines);
  if (!dryRun && readings > 0) {
    await confirm(context, context.say('keywords.confirm_remove', { n: found.length, days: readings }));
  }
  if (!dryRun && found.length > 0) await deleteKeywords(actor, id, lines);
  const errors = unknown.map((keyword): ItemError => {
    return { keyword, code: 'not_found', message: context.say('keyword.unknown', { keyword }) };
  });
  const rehearsal = dryRun ? { data: { dry_run: true }, note: () => context.say('cli.dry_run') } : {};
  const summary = { total: found.length + errors.length, done: dryRun ? 0 : found.length, failed: errors.length };
  const result: Result = { items: found, columns: COLUMNS, summary, errors, ...rehearsal };
  if (unknown.length === 0) return result;
  const exit = found.length === 0 ? 1 : 5;
  return { ...result, exit, failure: { exit, code: 'not_found', message: errors[0]?.message ?? '' } };
}
