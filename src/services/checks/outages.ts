import { recordEvents, type NewEvent } from '../../../db/events.ts';
import { keepOutages, listChangedOutages, listChangedVerdicts, type Changed } from './look-rows.ts';

// A reserve has no visitors yet: the same that is critical for a main is not so for it.
const levelOf = ({ type }: Changed): Pick<NewEvent, 'level'> => (type === 'main' ? {} : { level: 'warning' });

const ofDomain = ({ id, domain_name, project_id }: Changed) => ({ name: domain_name, domain_id: id, project_id });

const verdictEvent = (domain: Changed, cause: string): NewEvent =>
  domain.verdict === 'blocked'
    ? { kind: 'domain_blocked', ...ofDomain(domain), ...levelOf(domain), cause }
    : { kind: 'domain_unblocked', ...ofDomain(domain) };

const outageEvent = (domain: Changed): NewEvent =>
  domain.verdict === 'up'
    ? { kind: 'domain_up', ...ofDomain(domain) }
    : { kind: 'domain_down', ...ofDomain(domain), ...levelOf(domain), params: { verdict: domain.verdict } };

/** Records which domains the staged looks block and free. Before their rows are updated, in the same transaction. */
export async function recordVerdicts(listVersion: string | null): Promise<void> {
  const cause = `list:${listVersion ?? ''}`;
  await recordEvents((await listChangedVerdicts()).map((domain) => verdictEvent(domain, cause)));
}

/** Keeps which domains are down by the staged looks, and records those that are for the second time, and those that are up again. */
export async function recordOutages(now: string): Promise<void> {
  const changed = await listChangedOutages();
  await keepOutages(now);
  await recordEvents(changed.map(outageEvent));
}
