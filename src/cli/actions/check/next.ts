import type { Actor } from '../../../services/access/scope.ts';
import { findDomainsNamed } from '../../../services/portfolio/domain-lists.ts';
import { isFinding } from '../../terminal/fit.ts';

// Names are looked at until one is a main domain that can be moved.
const MOST_LOOKED_AT = 20;

type Found = { domain: string; status?: string };

/** Returns the words of the command that helps with what a check of the portfolio has found, the weightiest first; undefined: all is well. */
export async function nextAfter(actor: Actor, items: readonly object[]): Promise<string | undefined> {
  const found = (items as Found[]).filter((item) => isFinding({ ...item }));
  const blocked = found.filter(({ status }) => status === 'blocked').slice(0, MOST_LOOKED_AT);
  // Those that were removed while the check ran are left out.
  const known = await findDomainsNamed(
    actor,
    blocked.map(({ domain }) => domain),
  );
  const main = known.find(({ type, project_id }) => type === 'main' && project_id !== null);
  if (main) return `transfer plan ${main.domain_name}`;
  const first = found.find(({ status }) => status !== 'blocked');
  return first === undefined ? undefined : `why ${first.domain}`;
}
