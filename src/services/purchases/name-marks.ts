import { config } from '../../lib/config.ts';
import { isPublicSuffix, zoneNameOf } from '../../lib/zone-name.ts';
import { cleanHostname, isHostname } from '../../shared/hostname.ts';
import type { NameMark } from '../../shared/purchases/candidates.ts';
import { checkBlocklist } from '../checks/blocklist.ts';
import { listHeldNames, listNamesWithChildren } from './candidate-rows.ts';

const EDGE_HYPHEN = /(?:^|\.)-|-(?:\.|$)/;

// Names below a registered one are not sold, nor are public suffixes.
const canRegister = (name: string): boolean =>
  isHostname(name) &&
  cleanHostname(name) === name &&
  !EDGE_HYPHEN.test(name) &&
  zoneNameOf(name) === name &&
  !isPublicSuffix(name);

function parentsOf(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}

/**
 * Returns what speaks against each of the names, in their order. The portfolio is everybody's: what one user has can't be bought
 * for another. Where there is no fresh block list, no name counts as blocked.
 */
export async function markNames(names: readonly string[]): Promise<NameMark[]> {
  const possible = names.filter(canRegister);
  const parents = new Set(possible.flatMap(parentsOf));
  const rows = await listHeldNames([...new Set([...possible, ...parents])]);
  const held = new Set(rows.filter(({ deleted_at }) => deleted_at === null).map(({ domain_name }) => domain_name));
  const known = new Set(rows.map(({ domain_name }) => domain_name));
  const above = new Set(await listNamesWithChildren(possible));
  const verdicts = await checkBlocklist(config().blocklistDir, possible);
  const blocked = new Set(possible.filter((_, index) => verdicts[index]?.status === 'blocked'));
  const valid = new Set(possible);
  return names.map((name) => {
    if (!valid.has(name)) return 'invalid';
    if (held.has(name)) return 'held';
    if (known.has(name)) return 'past';
    if (above.has(name) || parentsOf(name).some((parent) => known.has(parent))) return 'related';
    return blocked.has(name) ? 'blocked' : 'new';
  });
}
