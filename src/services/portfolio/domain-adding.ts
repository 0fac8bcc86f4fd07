import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import { DomainInput, webRoot, type DomainDetail } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import { canExist } from '../../shared/hostname.ts';
import { findDomainsNamed } from './domain-lists.ts';
import { checkReferences, impossibleName, takenName } from './domains.ts';
import { insertDomains, listTakenNames } from './rows.ts';
import type { Actor } from '../access/scope.ts';
import { defaultOwner } from '../access/users.ts';

// A batch takes the writer some 30 ms; others write in between.
const BATCH = 500;

/** Fields that names added together share. No server: they claim no folder yet. */
export const AddedAlike = DomainInput.pick({
  type: true,
  transfer_type: true,
  transfer_dns: true,
  project_id: true,
  expired_at: true,
});
export type AddedAlike = ReturnType<typeof AddedAlike.parse>;

/** Adds those of the names that are free, in the running transaction, and returns their domains. */
async function addFree(
  actor: Actor,
  names: readonly string[],
  alike: AddedAlike,
  user_id: number,
): Promise<DomainDetail[]> {
  const taken = new Set((await listTakenNames(names)).map(({ domain_name }) => domain_name));
  const free = [...new Set(names)].filter((name) => canExist(name) && !taken.has(name));
  const rows = free.map((name) => ({
    domain_name: name,
    unicode_name: toUnicode(name),
    file_path: webRoot(name),
  }));
  const { type, transfer_type, transfer_dns, expired_at } = alike;
  const project_id = alike.project_id ?? null;
  const created_at = new Date().toISOString();
  const shared = { type, transfer_type, transfer_dns, project_id, expired_at, user_id };
  await insertDomains(rows, { ...shared, created_at });
  const added = await findDomainsNamed(actor, free);
  const ids = added.map(({ id }) => id);
  if (free.length > 0) note({ action: 'create', object: 'domains', ids, after: { names: free, ...shared } });
  return added;
}

/** Adds the free names of a batch in one transaction. A refusal that concerns all is returned for each name. */
async function addBatch(
  actor: Actor,
  names: readonly string[],
  alike: AddedAlike,
  maker: number,
): Promise<(DomainDetail | AppError)[]> {
  try {
    const added = await transaction(async () => {
      const owner = await checkReferences(actor, alike);
      return addFree(actor, names, alike, owner ?? maker);
    });
    const views = new Map(added.map((view) => [view.domain_name, view]));
    return names.map((name) => {
      const view = views.get(name);
      // A repeated name counts as taken by its first occurrence.
      views.delete(name);
      return view ?? (canExist(name) ? takenName(name) : impossibleName());
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return names.map(() => error);
  }
}

/**
 * Adds many domains as `createDomain` does, by a few statements a batch. Returns the domain or the AppError of each of
 * the names, which are clean, in their order. A refused name keeps no other one out.
 */
export async function addDomains(
  actor: Actor,
  names: readonly string[],
  alike: AddedAlike,
): Promise<(DomainDetail | AppError)[]> {
  const maker = await defaultOwner(actor);
  const outcomes: (DomainDetail | AppError)[] = [];
  for (let from = 0; from < names.length; from += BATCH) {
    outcomes.push(...(await addBatch(actor, names.slice(from, from + BATCH), alike, maker)));
  }
  return outcomes;
}
