import { recordEvents, type NewEvent } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { findRow, insertRow, updateRow } from '../../../db/rows.ts';
import { domains } from '../../shared/portfolio/tables.ts';
import { canExist } from '../../shared/hostname.ts';
import { DomainEdit, DomainInput, webRoot, type DomainView } from '../../shared/portfolio/domains.ts';
import { AppError, notFound, unknownReference } from '../../shared/errors.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import { refuseStale, type Was } from '../../shared/stale.ts';
import { TABLES } from '../../shared/tables.ts';
import type { Column } from '../../shared/table.ts';
import { findDomain } from './domain-lists.ts';
import { refuseAttaching, refuseAtWork, refuseMoving, refuseSiteWork } from '../operations/moving.ts';
import { refersToProject } from './projects.ts';
import { leaveTakenFolders, refuseFolder } from './folders.ts';
import {
  deleteMeasures,
  deleteRegistration,
  findDeletedDomain,
  findHolder,
  isNameTaken,
  listStanding,
  type Standing,
} from './rows.ts';
import type { Actor } from '../access/scope.ts';
import { defaultOwner } from '../access/users.ts';

const COLUMNS: [string, Column<unknown>][] = Object.entries(domains.columns);

/**
 * The tables that a domain's input refers to by id, by field, but for its project. Accounts are the team's: every
 * signed-in user may refer to them.
 */
const REFERENCES = COLUMNS.flatMap(([field, { references }]) => {
  const table = references && TABLES.get(references.table);
  return table && field in DomainInput.shape && field !== 'project_id'
    ? [{ field: field as keyof DomainInput, table }]
    : [];
});

/**
 * Throws AppError `refused` for an id that does not exist or is not the caller's. Returns the project's owner, who owns
 * the domain from now on; null: no project is given.
 */
export async function checkReferences(actor: Actor, input: Partial<DomainInput>): Promise<number | null> {
  for (const { field, table } of REFERENCES) {
    const id = input[field];
    if (typeof id === 'number' && !(await findRow(table, id))) throw unknownReference(field);
  }
  if (input.project_id == null) return null;
  return (await refersToProject(actor, input.project_id)).user_id;
}

/** The AppError `conflict` for a name that is in the portfolio already, whoever owns it. */
export function takenName(name: string): AppError {
  const fields = { domain_name: 'domain.taken' };
  return new AppError('conflict', 'domain.taken', { name: toUnicode(name) }, { code: 'domain_taken', fields });
}

/** The AppError `invalid` for a name that cannot exist. */
export function impossibleName(): AppError {
  return new AppError('invalid', 'name.hyphen', {}, { code: 'bad_name', fields: { domain_name: 'name.hyphen' } });
}

async function refuseTaken(name: string, except = 0): Promise<void> {
  if (await isNameTaken(name, except)) throw takenName(name);
}

// The fields that a running transfer has read of its two domains.
const HELD_FIELDS = ['domain_name', 'type', 'project_id', 'cloudflare_account_id', 'server_id', 'file_path'] as const;
// Those of them that a running deployment has read.
const PLACE_FIELDS = ['server_id', 'file_path'] as const;

/**
 * Adds a domain, `available` until a check says otherwise. Throws AppError `conflict` where the name is taken, without
 * saying by whom; `refused` for a reference or a folder that the caller may not use.
 */
export async function createDomain(actor: Actor, input: DomainInput): Promise<DomainView> {
  const maker = await defaultOwner(actor);
  return transaction(async () => {
    const owner = await checkReferences(actor, input);
    await refuseTaken(input.domain_name);
    const file_path = input.file_path || webRoot(input.domain_name);
    await refuseFolder(actor, { ...input, id: 0, file_path }, owner ?? maker);
    const now = new Date().toISOString();
    const id = await insertRow(domains, {
      ...input,
      unicode_name: toUnicode(input.domain_name),
      user_id: owner ?? maker,
      file_path,
      status: 'available',
      created_at: now,
      updated_at: now,
    });
    return findDomain(actor, id);
  });
}

/** The fields an edit may carry: all of a new domain's, each optional; what is absent stays as it is. */
export const DomainChange = DomainEdit.partial();

/**
 * Throws as `refuseFolder` where an edit gives a domain another folder; one that it has already may be another's on another server only.
 */
async function refuseNewFolder(
  actor: Actor,
  before: DomainView,
  {
    domain_name = before.domain_name,
    file_path = before.file_path,
    server_id = before.server_id,
  }: Partial<DomainInput>,
  owner: number | null,
): Promise<void> {
  if (file_path === before.file_path && server_id === before.server_id) return;
  const place = { id: before.id, domain_name, file_path, server_id };
  await refuseFolder(actor, place, owner ?? (await findHolder(before.id)) ?? 0, file_path === before.file_path);
}

/** Returns what a domain holds of the fields that an edit may carry. */
const formOf = (domain: DomainView): Partial<DomainView> =>
  Object.fromEntries(Object.entries(domain).filter(([field]) => field in DomainInput.shape));

/**
 * Edits a domain. `given` names the fields that were sent, because a shape's defaults can't be told from input. Throws
 * as `createDomain`, AppError `not_found`, `conflict` while the domain is being moved, and `busy` where its folder or server would
 * change while its site is being deployed, or its name while names are being attached to it; and as `refuseStale` where fields no longer hold what they `was`.
 */
export async function updateDomain(
  actor: Actor,
  id: number,
  input: Partial<DomainInput>,
  given: readonly string[],
  was?: Was,
): Promise<DomainView> {
  const change = Object.fromEntries(
    Object.entries(input).filter(([field]) => given.includes(field)),
  ) as Partial<DomainInput>;
  return transaction(async () => {
    const before = await findDomain(actor, id);
    refuseStale(was, formOf(before), change);
    const owner = await checkReferences(actor, change);
    const domain_name = change.domain_name ?? before.domain_name;
    if (domain_name !== before.domain_name) {
      if (!canExist(domain_name)) throw impossibleName();
      await refuseTaken(domain_name, id);
    }
    if (change.file_path === '') change.file_path = webRoot(domain_name);
    const changes = (field: (typeof HELD_FIELDS)[number]): boolean =>
      change[field] !== undefined && change[field] !== before[field];
    await Promise.all([
      HELD_FIELDS.some(changes) && refuseMoving([before.domain_name]),
      PLACE_FIELDS.some(changes) && refuseSiteWork([before.domain_name]),
      changes('domain_name') && refuseAttaching(before.domain_name),
    ]);
    await refuseNewFolder(actor, before, { ...change, domain_name }, owner);
    if (domain_name !== before.domain_name)
      await recordEvents([{ kind: 'domain_renamed', name: before.domain_name, domain_id: id }]);
    await updateRow(domains, id, {
      ...(domain_name === before.domain_name ? {} : await forgetChecks(before)),
      ...change,
      unicode_name: toUnicode(domain_name),
      ...(owner === null ? {} : { user_id: owner }),
      updated_at: new Date().toISOString(),
    });
    return findDomain(actor, id);
  });
}

/** Gives a domain without a project to a user. Only inside a transaction. */
export const giveToUser = (id: number, user_id: number): Promise<void> => updateRow(domains, id, { user_id });

/** Deletes what checks have found of a domain under its former name, and returns its columns as those of an unchecked one. */
async function forgetChecks({ id, expired_at }: DomainView): Promise<object> {
  await deleteMeasures(id);
  // A date that was set by hand stays.
  const isFound = (await deleteRegistration(id)) === expired_at;
  return { ...UNCHECKED, ...(isFound && { expired_at: null }) };
}

const UNCHECKED = {
  status: 'available',
  block_entry: null,
  last_block_check_at: null,
  http_status_code: null,
  http_error: null,
  last_http_check_at: null,
  google_indexation: null,
  yandex_indexation: null,
  last_check_indexation: null,
} as const;

/**
 * Takes a domain out of the portfolio; `restoreDomain` brings it back for 30 days. Throws AppError `not_found`, and
 * `conflict` or `busy` while an operation works on it.
 */
export async function deleteDomain(actor: Actor, id: number): Promise<DomainView> {
  return transaction(async () => {
    const domain = await findDomain(actor, id);
    await refuseAtWork([domain.domain_name]);
    await updateRow(domains, id, { deleted_at: new Date().toISOString() });
    return domain;
  });
}

/**
 * Undoes `deleteDomain`; without its server where its folder there has gone to another domain. Throws AppError `not_found`, and
 * `conflict` where the name has been added again since.
 */
export async function restoreDomain(actor: Actor, id: number): Promise<DomainView> {
  return transaction(async () => {
    const row = await findDeletedDomain(actor, id);
    if (!row) throw notFound();
    await refuseTaken(row.domain_name);
    await leaveTakenFolders(actor, [id]);
    await updateRow(domains, id, { deleted_at: null });
    await recordStanding([id]);
    return findDomain(actor, id);
  });
}

/** Returns what a domain that is brought back has to be told of: it is blocked, or down. */
function standingEvent({ id, domain_name, project_id, type, verdict }: Standing): NewEvent {
  const about = {
    name: domain_name,
    domain_id: id,
    project_id,
    ...(type === 'transfer' && { level: 'warning' as const }),
  };
  if (verdict === null) return { kind: 'domain_blocked', ...about };
  return { kind: 'domain_down', ...about, params: { verdict } };
}

/** Records of domains that are brought back which are blocked or down: their notices may have ended meanwhile. Only inside a transaction. */
export const recordStanding = async (ids: readonly number[]): Promise<void> =>
  recordEvents((await listStanding(ids)).map(standingEvent));
