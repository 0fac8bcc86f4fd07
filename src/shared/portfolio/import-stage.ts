import { webRoot, type DomainType, type TransferType } from './domains.ts';
import { canExist } from '../hostname.ts';
import type { Key, Message } from '../i18n/index.ts';
import { foldProject, projectFinder, registrarFinder, type Existing, type ExistingDomain } from './import-existing.ts';
import { GIVEN, shown, type Draft, type Given } from './import-rows.ts';
import { isFitFolder } from './site-folders.ts';
import type {
  FieldChange,
  ImportAction,
  ImportCounts,
  ImportField,
  ImportMode,
  ImportOptions,
  MessageGroup,
  RowMessage,
  StagedView,
} from './imports.ts';

/** Values to write for a row. `id` null: a new domain; `project` null leaves the project as it is. */
export interface Target {
  id: number | null;
  domain_name: string;
  project: string | null;
  type: DomainType;
  transfer_type: TransferType;
  file_path: string;
  expired_at: string | null;
  registrars_id: number | null;
}

export interface StagedRow extends StagedView {
  target: Target | null;
}

/** All changes of an import, row by row in the order of the file. */
export interface Staged {
  rows: StagedRow[];
  counts: ImportCounts;
  new_projects: string[];
}

const isSame = (field: keyof Given, from: string | null, to: string): boolean => {
  if (from === null) return false;
  if (field === 'project') return foldProject(from) === foldProject(to);
  return field === 'expired_at' ? Date.parse(from) === Date.parse(to) : from === to;
};

function changesOf(known: ExistingDomain, given: Given, mode: ImportMode): FieldChange[] {
  if (mode === 'skip') return [];
  return GIVEN.flatMap((field) => {
    const from = known[field] ? String(known[field]) : null;
    const to = given[field];
    if (to === undefined || isSame(field, from, to) || (mode === 'fill' && from !== null)) return [];
    return [{ field, from, to }];
  });
}

/** Values of a new row as changes from null. */
const valuesOf = (given: Given): FieldChange[] =>
  GIVEN.flatMap((field) => {
    const to = given[field];
    return to === undefined ? [] : [{ field, from: null, to }];
  });

const idIn = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

const newTarget = (domain_name: string, given: Given, options: ImportOptions): Target => ({
  id: null,
  domain_name,
  project: (given.project ?? options.project) || null,
  type: given.type ?? options.type,
  transfer_type: given.transfer_type ?? options.transfer_type,
  file_path: given.file_path ?? webRoot(domain_name),
  expired_at: given.expired_at ?? null,
  registrars_id: idIn(given.registrars_id),
});

const changedTarget = (domain_name: string, known: ExistingDomain, changes: readonly FieldChange[]): Target => ({
  id: known.id,
  domain_name,
  project: null,
  type: known.type,
  transfer_type: known.transfer_type,
  file_path: known.file_path,
  expired_at: known.expired_at,
  registrars_id: known.registrars_id,
  ...Object.fromEntries(changes.map(({ field, to }) => [field, field === 'registrars_id' ? idIn(to) : to])),
});

/**
 * Decides the action for every row, for the preview and the import alike. The first row of a name without a fault wins; a
 * fault of one row does not affect others.
 */
export function stageImport(drafts: readonly Draft[], existing: Existing, options: ImportOptions): Staged {
  const find = projectFinder(existing);
  const findRegistrar = registrarFinder(existing);
  const lines = new Map<string, number>();
  const fresh = new Map<string, string>();

  const verdict = (draft: Draft, action: ImportAction, field: ImportField, key: Key): StagedRow => ({
    ...viewOf(draft, action),
    messages: [{ field, key, params: { value: shown(valueFor(draft, field, options)) } }, ...draft.notes],
  });
  const refusedProject = (name: string | null): Key | null => {
    const found = name === null ? null : find(name);
    if (found === 'many') return 'import.project_many';
    return found === undefined && options.create_projects === 'off' ? 'import.project_unknown' : null;
  };

  const rows = drafts.map((draft): StagedRow => {
    const { domain_name: name } = draft;
    if (name === null || draft.messages.length > 0)
      return { ...viewOf(draft, 'error'), messages: [...draft.messages, ...draft.notes] };
    const first = lines.get(name);
    if (first !== undefined) {
      const message: RowMessage = {
        field: 'domain_name',
        key: 'import.duplicate',
        params: { value: name, line: first },
      };
      return { ...viewOf(draft, 'skip'), messages: [message, ...draft.notes] };
    }
    const known = existing.domains.get(name);
    if (known === 'taken') return verdict(draft, 'error', 'domain_name', 'import.taken');
    if (!known && !canExist(name)) return verdict(draft, 'error', 'domain_name', 'name.hyphen');
    const given = { ...draft.given };
    if (given.registrars_id !== undefined) {
      const registrar = findRegistrar(given.registrars_id);
      if (typeof registrar === 'string') return verdict(draft, 'error', 'registrars_id', registrar);
      given.registrars_id = String(registrar.id);
    }
    const changes = known ? changesOf(known, given, options.mode) : valuesOf(given);
    // A folder that a row of a former version has stays.
    if (changes.some(({ field, to }) => field === 'file_path' && to !== '' && !isFitFolder(to))) {
      return verdict(draft, 'error', 'file_path', 'site.unsafe_path_field');
    }
    const target = known ? changedTarget(name, known, changes) : newTarget(name, given, options);
    const fault = refusedProject(target.project);
    if (fault) return verdict(draft, 'error', 'project', fault);
    lines.set(name, draft.line);
    if (known && changes.length === 0) {
      return verdict(draft, 'skip', 'domain_name', options.mode === 'skip' ? 'import.exists' : 'import.same');
    }
    if (target.project !== null && find(target.project) === undefined) {
      const folded = foldProject(target.project);
      if (!fresh.has(folded)) fresh.set(folded, target.project);
    }
    return { ...viewOf(draft, known ? 'update' : 'create'), changes, target };
  });
  return { rows, counts: countsOf(rows), new_projects: [...fresh.values()] };
}

/** Turns the rows of domains whose folder is refused into errors. `refused` maps the domain's id to the reason. */
export function withoutRefused(staged: Staged, refused: ReadonlyMap<number, Message>): Staged {
  if (refused.size === 0) return staged;
  const rows = staged.rows.map((row): StagedRow => {
    const refusal = row.target?.id != null ? refused.get(row.target.id) : undefined;
    if (!refusal) return row;
    const { key, params } = refusal;
    const message: RowMessage = { field: 'file_path', key, ...(params && { params }) };
    return { ...row, action: 'error', changes: [], target: null, messages: [message, ...row.messages] };
  });
  const named = new Set(rows.flatMap(({ target }) => (target?.project ? [foldProject(target.project)] : [])));
  const new_projects = staged.new_projects.filter((name) => named.has(foldProject(name)));
  return { rows, counts: countsOf(rows), new_projects };
}

const viewOf = ({ line, cells, domain_name, notes }: Draft, action: ImportAction): StagedRow => ({
  line,
  cells,
  action,
  domain_name,
  changes: [],
  messages: notes,
  target: null,
});

function valueFor({ given, domain_name }: Draft, field: ImportField, options: ImportOptions): string {
  if (field === 'project') return given.project ?? options.project;
  return (field === 'domain_name' ? domain_name : given[field]) ?? '';
}

function countsOf(rows: readonly StagedRow[]): ImportCounts {
  const counts: ImportCounts = { create: 0, update: 0, skip: 0, error: 0 };
  for (const { action } of rows) counts[action] += 1;
  return counts;
}

const SHOWN_LINES = 100;

/** Groups the messages of rows by action, field and key; errors first, then by count. */
export function groupMessages(rows: readonly StagedView[]): MessageGroup[] {
  const groups = new Map<string, MessageGroup>();
  for (const { action, line, messages } of rows) {
    for (const message of messages) {
      const name = `${action} ${message.field} ${message.key}`;
      const group = groups.get(name) ?? { action, message, count: 0, lines: [] };
      group.count += 1;
      if (group.lines.length < SHOWN_LINES) group.lines.push(line);
      groups.set(name, group);
    }
  }
  const rank = ({ action }: MessageGroup): number => (action === 'error' ? 0 : 1);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count);
}
