import { listCheckDays, listChecks } from '../../../services/checks/check-history.ts';
import type { Stretch } from '../../../shared/checks/check-history.ts';
import type { CheckDayRow } from '../../../shared/checks/tables.ts';
import type { Context } from '../../context.ts';
import { columnsOf, type Result } from '../../output.ts';
import { domainNamed } from '../../found/named.ts';

const STRETCHES = columnsOf<Stretch>({
  id: false,
  domain_id: false,
  kind: true,
  verdict: true,
  http_status_code: false,
  since: true,
  checked_at: true,
  repeats: true,
  ms: true,
  detail: true,
  list_version: false,
  list_fetched_at: false,
});

const DAYS = columnsOf<CheckDayRow>({
  domain_id: false,
  day: true,
  checks: true,
  up: true,
  median_ms: true,
  worst_ms: true,
});

/** `check history NAME`: the checks of a domain as periods of equal results, or by day. */
export async function checkHistory(context: Context, { days }: { days?: boolean }, name: string): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await domainNamed(actor, name);
  const { data } = await (days ? listCheckDays(actor, id) : listChecks(actor, id));
  return { items: data, columns: days ? DAYS : STRETCHES, summary: { total: data.length } };
}
