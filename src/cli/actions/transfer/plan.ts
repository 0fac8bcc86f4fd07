import { transferHistory } from '../../../services/transfers/transfers.ts';
import type { TransferHistoryEntry } from '../../../shared/transfers/transfer-plan.ts';
import type { Context } from '../../context.ts';
import { columnsOf, type Result } from '../../output.ts';
import { domainNamed } from '../../found/named.ts';
import { lookAhead, openPair, type RunFlags } from './pair.ts';
import { renderFor } from '../../render.ts';

const HISTORY = columnsOf<TransferHistoryEntry>({
  created_at: true,
  main_domain_name: true,
  transfer_domain_name: true,
  action: true,
  outcome: true,
  redirect_seen_at: true,
  operation_id: true,
  warning: true,
  id: false,
  main_domain_id: false,
  transfer_domain_id: false,
});

/** `transfer plan`: what a transfer would change. */
export const plan = async (context: Context, flags: RunFlags, source: string, target?: string): Promise<Result> =>
  lookAhead(context, await openPair(context, source, target), flags);

/** `transfer history`: the transfers of a domain. */
export async function history(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await domainNamed(actor, name);
  const { data } = await transferHistory(actor, id);
  const items = data.map((entry) =>
    Object.assign(entry, { warning: entry.warning && renderFor(context)(entry.warning) }),
  );
  return { items, columns: HISTORY, summary: { total: items.length } };
}
