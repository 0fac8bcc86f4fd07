import type { NewEvent } from '../../../db/events.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import type { OperationItemRow, OperationRow } from '../../shared/operations/tables.ts';
import { isDeclined, type TransferItem } from './queue.ts';
import { listMovesOf } from './rows.ts';

/** Whether an item has ended half done, or nobody knows how: a person has to look at the two domains. */
const isOpen = ({ error_key }: OperationItemRow): boolean =>
  error_key === 'operation.not_taken_back' || error_key === 'operation.unclear';

/**
 * Returns what people are told of the end of a transfer: of each main domain that has not moved, unless the list has freed it, and of each
 * move that a person has to finish. A finished move was told by its swap, a declined one by its decision. Null where the work itself has
 * broken.
 */
export async function tellTransfer({ id }: Pick<OperationRow, 'id'>): Promise<NewEvent[] | null> {
  const rows = await listItemRows(id);
  if (rows.some(({ state }) => state === 'queued' || state === 'intent')) return null;
  const moves = await listMovesOf(id);
  return rows.flatMap((row): NewEvent[] => {
    const data = JSON.parse(row.data) as TransferItem;
    if (isDeclined(data)) return [];
    const { source, target } = data;
    const about = { params: { to: target.name }, cause: `operation:${id}` };
    const move = moves.find(({ main_domain_name }) => main_domain_name === source.name);
    if (move) {
      const isDone = row.state === 'done' && move.warning === null;
      return isDone ? [] : [{ kind: 'transfer_waits', name: target.name, domain_id: target.id, ...about }];
    }
    if (row.state !== 'failed' || row.error_key === 'transfer.main_free') return [];
    const kind = isOpen(row) ? 'transfer_waits' : 'transfer_failed';
    return [{ kind, name: source.name, domain_id: source.id, ...about }];
  });
}
