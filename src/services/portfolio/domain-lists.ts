import { dataVersion } from '../../../db/index.ts';
import {
  DOMAIN_FIELDS,
  USER_DOMAIN_FIELDS,
  type DeletedDomain,
  type DomainCounts,
  type DomainDetail,
  type DomainFilter,
  type DomainView,
  type UserDomain,
} from '../../shared/portfolio/domains.ts';
import { parseSort, type ListOf, type Paging } from '../../shared/lists.ts';
import { AppError, notFound, noSuch, unknownReference } from '../../shared/errors.ts';
import { parseJsonText, type JsonText } from './json.ts';
import { keptList } from './kept-lists.ts';
import {
  countStatement,
  findDetail,
  ID_BYTES,
  idCount,
  idsStatement,
  listDetails,
  listStatement,
  narrowDomains,
  readBytes,
  type DomainSelection,
  type Narrowed,
  type Page,
} from './list-rows.ts';
import { countByFilter, findHolder, listDeletedDomains } from './rows.ts';
import { type Actor, isAdmin } from '../access/scope.ts';

/** Whether no paging was asked for: then the list is complete and needs no `total`. */
const isWhole = (paging: Paging): boolean => Object.values(paging).every((value) => value === undefined);

async function listFields<T>(
  actor: Actor,
  fields: readonly (keyof DomainView)[],
  selection: DomainSelection,
  paging: Paging,
): Promise<JsonText<ListOf<T>>> {
  const { search, sort } = paging;
  const narrowed = narrowDomains(actor, selection, {
    search,
    order: sort ? parseSort(sort, DOMAIN_FIELDS) : undefined,
  });
  const version = await dataVersion();
  const { page, total } = await pickPage(version, narrowed, paging);
  return keptList(version, listStatement(fields, narrowed, page, total));
}

// More rows than any list has.
const EVERY = 1_000_000_000;

/** Returns the page that is asked for, null for the whole list; and the `total` where it is asked for. */
async function pickPage(
  version: string | null,
  narrowed: Narrowed,
  paging: Paging,
): Promise<{ page: Page | null; total: number | null }> {
  if (isWhole(paging)) return { page: null, total: null };
  const { limit = EVERY, offset = 0, search } = paging;
  const idsIn = (bytes: Buffer): Page => ({ ids: `[${bytes.toString()}]` });
  const count = async (): Promise<number> => {
    const { bytes } = await keptList(version, countStatement(narrowed));
    return Number(bytes.toString());
  };
  if (version !== null && limit !== EVERY && offset >= FAR) {
    const { bytes: ids } = await keptList(version, idsStatement(narrowed));
    const part = ids.subarray(offset * ID_BYTES, (offset + limit) * ID_BYTES - 1);
    return { page: idsIn(part), total: idCount(ids) };
  }
  if (search && limit !== EVERY) {
    const { bytes: ids } = await keptList(version, idsStatement(narrowed, { limit, offset }));
    const found = idCount(ids);
    // A search that finds little has looked at every row by then: it is not counted by another look at all of them.
    const isEnd = found < limit && (found > 0 || offset === 0);
    return { page: idsIn(ids), total: isEnd ? offset + found : await count() };
  }
  return { page: limit === EVERY && offset === 0 ? null : { limit, offset }, total: await count() };
}

/** From this offset on a page is cut out of the cached ids: SQLite would walk over all rows before it. */
const FAR = 200;

/**
 * Returns the caller's domains as JSON text: everything, or the part that is asked for and the `total`. Throws AppError
 * `invalid` for an unknown `sort`.
 */
export const listDomains = (
  actor: Actor,
  selection: DomainSelection = {},
  paging: Paging = {},
): Promise<JsonText<ListOf<DomainView>>> => listFields(actor, DOMAIN_FIELDS, selection, paging);

/**
 * Returns the caller's domains in the order of a list, so many at a time: others have their turn in between. Domains that are deleted
 * meanwhile, or are no longer of the selection, are left out.
 */
export async function* domainParts(
  actor: Actor,
  selection: DomainSelection,
  { search, sort }: Pick<Paging, 'search' | 'sort'>,
  size: number,
): AsyncGenerator<DomainView[]> {
  const order = sort ? parseSort(sort, DOMAIN_FIELDS) : undefined;
  const narrowed = narrowDomains(actor, selection, { search, order });
  const ids = await readBytes(idsStatement(narrowed));
  for (let at = 0; at < ids.length; at += size * ID_BYTES) {
    const page = { ids: `[${ids.subarray(at, at + size * ID_BYTES - 1).toString()}]` };
    const bytes = await readBytes(listStatement(DOMAIN_FIELDS, narrowed, page, null));
    yield parseJsonText<ListOf<DomainView>>({ bytes }).data;
  }
}

/** Returns the dashboard's shorter records, otherwise as `listDomains`. */
export const listUserDomains = (
  actor: Actor,
  status: DomainFilter,
  paging: Paging = {},
): Promise<JsonText<ListOf<UserDomain>>> => listFields(actor, USER_DOMAIN_FIELDS, { status }, paging);

/** Returns the number of rows in each list of the dashboard. */
export const countDomains = async (actor: Actor): Promise<DomainCounts> =>
  (await countByFilter(actor)) ?? { all: 0, active: 0, blocked: 0, broken: 0, expired: 0 };

/** Returns a domain of the caller's, by id. Throws AppError `not_found`. */
export async function findDomain(actor: Actor, id: number): Promise<DomainDetail> {
  const found = await findDetail(actor, { id });
  if (!found) throw notFound();
  return found;
}

/**
 * Returns a domain that a body names by id. Throws AppError `refused` alike for an unknown domain and for another
 * user's.
 */
export async function refersToDomain(actor: Actor, id: number, field = 'domain_id'): Promise<DomainDetail> {
  return findDomain(actor, id).catch((error: unknown) => {
    throw error instanceof AppError && error.kind === 'not_found' ? unknownReference(field) : error;
  });
}

/** Returns a domain of the caller's, by its name in punycode. Throws AppError `not_found`. */
export async function findDomainByName(actor: Actor, name: string): Promise<DomainDetail> {
  const found = await findDetail(actor, { domain_name: name });
  if (!found) throw noSuch('domain', name);
  return found;
}

/** Returns those of the caller's domains that have one of the names, in the order of the names. */
export const findDomainsNamed = (actor: Actor, names: readonly string[]): Promise<DomainDetail[]> =>
  listDetails(actor, names);

// An act on many domains may have deleted thousands.
const MOST_DELETED = 100;

/** Returns the actor's last deleted domains that `restoreDomain` brings back, or those of a name, the last deleted one first. */
export const listDeleted = async (actor: Actor, domain_name?: string): Promise<{ data: DeletedDomain[] }> => ({
  data: await listDeletedDomains(actor, domain_name ?? null, MOST_DELETED),
});

/**
 * Returns the AppError `refused` for a domain, by its id and the name it had, that is not the user's any more: another user has it,
 * or it was renamed or deleted.
 */
export async function lostDomain(actor: Actor, { id, name }: { id: number; name: string }): Promise<AppError> {
  const holder = await findHolder(id);
  const isForeign = holder !== null && holder !== actor.id && !isAdmin(actor);
  return new AppError('refused', isForeign ? 'domain.not_yours' : 'domain.gone', { domain: name });
}
