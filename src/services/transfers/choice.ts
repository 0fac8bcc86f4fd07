import { zoneNameOf } from '../../lib/zone-name.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import { pickReserve, type MainFacts } from '../../shared/transfers/transfer-pick.ts';
import { factsOf, lookUp } from './facts.ts';
import { listFormerMains } from './rows.ts';

/**
 * Returns the reserve that automatic transfer would pick now for a main domain. Throws AppError `conflict` where the
 * domain has no project, `refused` where no reserve is ready.
 */
export async function pickFor(main: DomainView): Promise<{ id: number; domain_name: string }> {
  const { id, domain_name, project_id, type, transfer_type, status, cloudflare_account_id, server_id } = main;
  if (project_id === null) {
    throw new AppError('conflict', 'transfer.no_project', { domain: domain_name }, { code: 'no_project' });
  }
  const facts: MainFacts = {
    id,
    domain_name,
    type,
    transfer_type,
    status,
    cloudflare_account_id,
    server_id,
    zone: zoneNameOf(domain_name),
    listed: 'unknown',
    busy: false,
    observations: [],
    flapped: false,
    tried: 0,
    called_off: false,
    came_from: await listFormerMains(id),
  };
  const now = Date.now();
  const { reserves } = await factsOf(project_id, await lookUp([project_id]), now);
  const { pick } = pickReserve(facts, reserves, now);
  if (!pick) throw new AppError('refused', 'auto_transfer.none_ready', {}, { code: 'no_reserve' });
  return pick;
}
