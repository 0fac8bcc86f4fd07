import { basename } from 'node:path';
import { commitImport, previewImport } from '../../../services/portfolio/imports.ts';
import {
  ImportOptions,
  type ImportCounts,
  type MessageGroup,
  type RowMessage,
  type StagedView,
} from '../../../shared/portfolio/imports.ts';
import type { Context } from '../../context.ts';
import { columnsOf, type Result } from '../../output.ts';
import { parseInput } from '../../parse.ts';
import { keepInput } from '../../terminal/interrupt.ts';

interface ImportFlags {
  mode: string;
  project?: string;
  type?: string;
  dryRun?: boolean;
}

const COLUMNS = columnsOf<ReturnType<typeof itemOf>>({ line: true, domain: true, action: true, message: true });

/** `domain import`: reads a file or stdin (`-`). `--dry-run` reports what would be done, row by row, and ends as the import would. */
export async function importFile(context: Context, flags: ImportFlags, file: string): Promise<Result> {
  const { actor } = await context.open();
  const { mode, project, type, dryRun } = flags;
  const options = parseInput(ImportOptions, { mode, project, type });
  if (file === '-') keepInput(null);
  const source =
    file === '-'
      ? { name: '', bytes: Buffer.concat((await process.stdin.toArray()) as Buffer[]) }
      : { name: basename(file), path: file };
  if (dryRun) {
    const { counts, groups, rows, new_projects } = await previewImport(actor, source, options);
    const items = rows.map((row) => itemOf(context, row));
    const data = { dry_run: true, new_projects };
    return { items, columns: COLUMNS, summary: counts, data, ...endOfImport(context, counts, groups) };
  }
  const { import: done, counts, groups, errors } = await commitImport(actor, source, options);
  const items = errors.map((row) => itemOf(context, row));
  context.talk(context.say('cli.imported', { ...counts }));
  for (const group of groups.filter(({ message }) => message.key === 'import.beside')) {
    const lines = context.say('import.group_lines', { count: group.count, lines: group.lines.join(', ') });
    context.talk(`${textOf(context, group.message)} (${lines})`);
  }
  return { items, columns: COLUMNS, summary: counts, data: { import: done }, ...endOfImport(context, counts, groups) };
}

const textOf = ({ say }: Context, { key, params }: RowMessage): string => say(key, params);

const itemOf = (context: Context, { line, domain_name, cells, action, messages }: StagedView) => ({
  line,
  domain: domain_name ?? cells[0] ?? '',
  action,
  message: messages.map((message) => textOf(context, message)).join('; '),
});

/** Exit 5 if some rows had errors, 1 if all had. */
function endOfImport(context: Context, counts: ImportCounts, groups: MessageGroup[]): Pick<Result, 'exit' | 'failure'> {
  if (counts.error === 0) return {};
  const exit = counts.create + counts.update + counts.skip === 0 ? 1 : 5;
  const first = groups.find(({ action }) => action === 'error');
  const total = counts.create + counts.update + counts.skip + counts.error;
  const message = context.say('cli.some_failed', {
    failed: counts.error,
    total,
    first: first ? textOf(context, first.message) : '',
  });
  return { exit, failure: { exit, code: exit === 1 ? 'invalid' : 'partial', message } };
}
