import { readFile } from 'node:fs/promises';
import { addKeywords, deleteKeywords, listKeywords } from '../../services/positions/keywords.ts';
import { projectNamed } from '../../services/portfolio/projects.ts';
import type { KeywordView } from '../../shared/positions/keywords.ts';
import { usageError, type Context } from '../context.ts';
import { columnsOf, type ItemError, type Result } from '../output.ts';

interface Flags {
  project: string;
  file?: string;
}

const COLUMNS = columnsOf<KeywordView>({
  id: true,
  value: 'keyword',
  tags: { title: 'tags', show: (tags) => (tags as string[]).join(', ') },
  target_url: 'target',
  frequency: true,
});

async function readLines(file: string): Promise<string[]> {
  if (file !== '-') return (await readFile(file, 'utf8')).split(/\r?\n/);
  process.stdin.setEncoding('utf8');
  return (await process.stdin.toArray()).join('').split(/\r?\n/);
}

/** `keyword list`. */
export async function list(context: Context, { project }: Flags): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  return { items: await listKeywords(actor, id), columns: COLUMNS };
}

/** `keyword add`: lines that can't be added are errors, the others are added; exit 5 where some could not. */
export async function add(context: Context, { project, file }: Flags, typed: string[]): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  const lines = [...typed, ...(file === undefined ? [] : await readLines(file))];
  if (lines.length === 0) throw usageError('cli.needs_flag', { flag: '--file' });
  const { added, refused } = await addKeywords(actor, id, lines);
  const errors = refused.map(({ line, keyword, reason }): ItemError => {
    return { keyword, code: reason, message: `${line}: ${keyword}: ${context.say(reason)}` };
  });
  const items = added.map((row) => ({ ...row, tags: [], target_url: null, frequency: null }));
  const text = context.say('keywords.added', { n: added.length });
  const result: Result = { items, columns: COLUMNS, note: () => text, errors };
  if (refused.length === 0) return result;
  const message = context.say('keywords.add_failed', { n: refused.length, m: lines.length });
  const exit = added.length === 0 ? 1 : 5;
  return { ...result, exit, failure: { exit, code: exit === 5 ? 'partial' : 'refused', message } };
}

/** `keyword remove`: keywords that the project does not have are errors. */
export async function remove(context: Context, { project }: Flags, typed: string[]): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  const { deleted, unknown } = await deleteKeywords(actor, id, typed);
  const errors = unknown.map((keyword): ItemError => {
    return { keyword, code: 'not_found', message: context.say('keyword.unknown', { keyword }) };
  });
  const result: Result = { items: deleted, columns: COLUMNS, errors };
  if (unknown.length === 0) return result;
  const exit = deleted.length === 0 ? 1 : 5;
  return { ...result, exit, failure: { exit, code: 'not_found', message: errors[0]?.message ?? '' } };
}
