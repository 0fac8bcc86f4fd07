import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { deleteRow, insertRow, updateRow } from '../../../db/rows.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { Key } from '../../shared/i18n/index.ts';
import {
  MOST_KEYWORDS,
  normalizeKeyword,
  parseKeyword,
  type KeywordChange,
  type KeywordInput,
  type KeywordView,
} from '../../shared/positions/keywords.ts';
import { keywords, type KeywordRow } from '../../shared/positions/tables.ts';
import type { Actor } from '../access/scope.ts';
import { findProject, refersToProject } from '../portfolio/projects.ts';
import { clearKeywords } from './purge.ts';
import {
  countReadings,
  deleteKeywordRows,
  findKeywordRow,
  findNormalized,
  insertKeywords,
  listKeywordRows,
} from './rows.ts';

const viewOf = ({ id, value, tags, target_url, frequency }: KeywordRow): KeywordView => ({
  id,
  value,
  tags: JSON.parse(tags) as string[],
  target_url,
  frequency,
});

/** Returns the keywords of a project of the caller's, as they were added. Throws AppError `not_found`. */
export async function listKeywords(actor: Actor, projectId: number): Promise<KeywordView[]> {
  const { id } = await findProject(actor, projectId);
  return (await listKeywordRows(id)).map(viewOf);
}

/** Returns a keyword of the caller's. Throws AppError `not_found`. */
export async function findKeyword(actor: Actor, id: number): Promise<KeywordRow> {
  const row = await findKeywordRow(actor, id);
  if (!row) throw notFound();
  return row;
}

/**
 * Adds a keyword to a project. Throws AppError `conflict` where the project has it, whatever its case and blanks; `refused` for
 * a project that is not the caller's.
 */
export async function addKeyword(
  actor: Actor,
  { keyword: value, project_id }: KeywordInput,
): Promise<Pick<KeywordView, 'id' | 'value'>> {
  return transaction(async () => {
    const project = await refersToProject(actor, project_id);
    const normalized = normalizeKeyword(value);
    const same = await findNormalized(project.id, normalized);
    if (same) {
      const fields = { keyword: 'keyword.taken' satisfies Key };
      throw new AppError('conflict', 'keyword.taken', { keyword: same.value }, { fields });
    }
    const created_at = new Date().toISOString();
    const id = await insertRow(keywords, { project_id: project.id, value, normalized, tags: '[]', created_at });
    return { id, value };
  });
}

/** A line that was not added, by its number from 1, and why. */
export interface RefusedLine {
  line: number;
  keyword: string;
  reason: Key;
}

/**
 * Adds many keywords to a project, one a line; empty lines are left out. Lines that can't be added are returned with their reason,
 * the others are added in one statement. Throws AppError `not_found`, and `invalid` for more lines than are taken at once.
 */
export async function addKeywords(
  actor: Actor,
  projectId: number,
  lines: readonly string[],
): Promise<{ added: Pick<KeywordView, 'id' | 'value'>[]; refused: RefusedLine[] }> {
  const given = lines
    .map((text, index) => ({ line: index + 1, keyword: text.trim() }))
    .filter(({ keyword }) => keyword);
  if (given.length > MOST_KEYWORDS) {
    throw new AppError('invalid', 'keyword.many', { most: MOST_KEYWORDS }, { fields: { keywords: 'keyword.many' } });
  }
  const refused: RefusedLine[] = [];
  const wanted = new Map<string, { line: number; keyword: string }>();
  for (const one of given) {
    const parsed = parseKeyword(one.keyword);
    const normalized = normalizeKeyword(one.keyword);
    if (!parsed.success) refused.push({ ...one, reason: parsed.error.issues[0]?.message as Key });
    else if (wanted.has(normalized)) refused.push({ ...one, reason: 'keyword.repeated' });
    else wanted.set(normalized, { ...one, keyword: parsed.data });
  }
  return transaction(async () => {
    const { id } = await findProject(actor, projectId);
    const rows = [...wanted].map(([normalized, { keyword }]) => ({ value: keyword, normalized }));
    const added = await insertKeywords(id, rows, new Date().toISOString());
    if (added.length > 0) {
      note({ action: 'create', object: 'keywords', ids: added.map((row) => row.id), after: { project_id: id } });
    }
    const values = new Set(added.map(({ value }) => value));
    for (const one of wanted.values()) if (!values.has(one.keyword)) refused.push({ ...one, reason: 'keyword.taken' });
    return { added, refused: refused.toSorted((one, other) => one.line - other.line) };
  });
}

/** Sets what belongs to a keyword; absent fields stay. Throws AppError `not_found`. */
export async function updateKeyword(actor: Actor, id: number, change: KeywordChange): Promise<KeywordView> {
  return transaction(async () => {
    const { tags, ...others } = change;
    const before = await findKeyword(actor, id);
    const values = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
    await updateRow(keywords, before.id, { ...values, ...(tags && { tags: JSON.stringify(tags) }) });
    return viewOf(await findKeyword(actor, id));
  });
}

/** Deletes a keyword with all that was found for it, and returns it. Throws AppError `not_found`. */
export async function deleteKeyword(actor: Actor, id: number): Promise<KeywordRow> {
  await clearKeywords([(await findKeyword(actor, id)).id]);
  return transaction(async () => {
    const row = await findKeyword(actor, id);
    await deleteRow(keywords, row.id);
    return row;
  });
}

/** Keywords of a project by their names, and how many readings they have. */
export interface NamedKeywords {
  found: KeywordView[];
  unknown: string[];
  readings: number;
}

/** Returns the named keywords of a project, and the names that it does not have. Throws AppError `not_found`. */
export async function findKeywords(actor: Actor, projectId: number, values: readonly string[]): Promise<NamedKeywords> {
  const { id } = await findProject(actor, projectId);
  const rows = new Map((await listKeywordRows(id)).map((row) => [row.normalized, row]));
  const found = [...new Set(values.flatMap((value) => rows.get(normalizeKeyword(value)) ?? []))];
  return {
    found: found.map(viewOf),
    unknown: values.filter((value) => !rows.has(normalizeKeyword(value))),
    readings: await countReadings(found.map((row) => row.id)),
  };
}

/** Deletes the named keywords of a project. Throws AppError `not_found`. */
export async function deleteKeywords(actor: Actor, projectId: number, values: readonly string[]): Promise<void> {
  const idsOf = async (): Promise<number[]> =>
    (await findKeywords(actor, projectId, values)).found.map((keyword) => keyword.id);
  await clearKeywords(await idsOf());
  await transaction(async () => {
    const ids = await idsOf();
    if (ids.length === 0) return;
    await deleteKeywordRows(ids);
    note({ action: 'delete', object: 'keywords', ids, before: { project_id: projectId } });
  });
}
