import { stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ownPaths } from '../../lib/config.ts';
import { requireTarget } from '../../lib/disk.ts';
import { checkDeletable, deleteTeamRow, findOwnTeamRow, teamRowNamed } from '../../services/accounts/team.ts';
import {
  archiveOf,
  createTemplate,
  listTemplates,
  scanFile,
  scanTemplate,
  updateTemplate,
  type TemplateFile,
} from '../../services/sites/templates.ts';
import {
  PLACEHOLDERS,
  TemplateChange,
  TemplateInput,
  type TemplateEntry,
  type TemplateScan,
  type TemplateView,
} from '../../shared/sites/templates.ts';
import { usageError, type Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { rehearsed } from '../rehearsed.ts';
import { confirm } from '../secret.ts';

interface AddFlags {
  name?: string;
  file?: string;
  dryRun?: boolean;
}

interface DownloadFlags {
  output?: string;
}

const words = (value: unknown): string => (value as string[]).join(' ');
const COLUMNS = columnsOf<TemplateView>({
  id: true,
  name: true,
  file_name: true,
  size: true,
  files: true,
  placeholders: { title: 'placeholders', show: words },
  domains: true,
  created_at: false,
  updated_at: false,
  file_path: false,
  can_edit: false,
});
const SCAN_COLUMNS = columnsOf<TemplateEntry>({
  path: true,
  size: true,
  placeholders: { title: 'placeholders', show: words },
  text: false,
});

/** `template list`. */
export async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const items = await listTemplates(actor, null);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

const uploaded = async (path: string): Promise<TemplateFile> => ({
  path,
  name: basename(path),
  size: (await stat(path)).size,
});

// The default name of a template is that of its file.
const nameOf = (path: string): string => basename(path).replace(/\.zip$/i, '');

/** `template add`: the name is that of the file, unless one is given. */
export async function add(context: Context, { name, file, dryRun }: AddFlags, positional?: string): Promise<Result> {
  const path = file ?? positional;
  if (path === undefined) throw usageError('cli.needs_flag', { flag: '--file' });
  if (file !== undefined && positional !== undefined) throw usageError('cli.conflict', { reason: '--file' });
  const { actor } = await context.open();
  const input = parseInput(TemplateInput, { name: name ?? nameOf(path) });
  const given = await uploaded(path);
  if (dryRun) return rehearsed(context, { ...input, ...summaryOf(await scanFile(given)) });
  const template = await createTemplate(actor, input, given, null);
  return { data: template, text: context.say('cli.template_saved', { id: template.id, name: template.name }) };
}

/** `template edit`. */
export async function edit(context: Context, { name, file, dryRun }: AddFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await teamRowNamed('templates', which);
  const change = parseInput(TemplateChange, { name });
  const given = file === undefined ? undefined : await uploaded(file);
  if (dryRun) {
    await findOwnTeamRow(actor, 'templates', id);
    return rehearsed(context, { id, ...change, ...(given && summaryOf(await scanFile(given))) });
  }
  const template = await updateTemplate(actor, id, change, given, null);
  return { data: template, text: context.say('cli.template_saved', { id, name: template.name }) };
}

/** `template remove`. */
export async function remove(context: Context, { dryRun }: AddFlags, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id, name } = await teamRowNamed('templates', which);
  await checkDeletable(actor, 'templates', id);
  if (dryRun) return rehearsed(context, { id, name });
  await confirm(context, context.say('cli.confirm_remove', { name }));
  await deleteTeamRow(actor, 'templates', id);
  return { data: { id, name }, text: context.say('template.deleted', { name }) };
}

const summaryOf = ({ size, placeholders, entries }: TemplateScan) => ({ size, files: entries.length, placeholders });

/** Scans an existing file, else a template by name or id: a ZIP can be examined before it is added. */
async function scanOf(context: Context, which: string): Promise<TemplateScan> {
  const isFile = await stat(which).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isFile) return scanFile(await uploaded(which));
  await context.open();
  return scanTemplate((await teamRowNamed('templates', which)).id);
}

/** `template scan`: what a ZIP contains, and which placeholders it lacks. */
export async function scan(context: Context, _flags: object, which: string): Promise<Result> {
  const found = await scanOf(context, which);
  const missing = PLACEHOLDERS.filter((name) => !found.placeholders.includes(name));
  const warnings = missing.map((name) => context.say('template.lacks', { name }));
  for (const warning of warnings) context.talk(warning);
  const summary = { ...summaryOf(found), unpacked: found.entries.reduce((sum, { size }) => sum + size, 0) };
  return { items: found.entries, columns: SCAN_COLUMNS, summary, data: { warnings } };
}

/** `template download`: overwrites an existing file only if its name was given. */
export async function download(context: Context, { output }: DownloadFlags, which: string): Promise<Result> {
  await context.open();
  const { id, name } = await teamRowNamed('templates', which);
  const archive = await archiveOf(id);
  const file = output ?? archive.name;
  await requireTarget(file, ownPaths(context.config()));
  await writeFile(file, archive.content, { flag: output === undefined ? 'wx' : 'w' });
  return {
    data: { id, name, file, size: archive.content.length },
    text: context.say('cli.template_written', { file }),
  };
}
