import type { NewEvent } from '../../../db/events.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import type { OperationItemRow, OperationRow } from '../../shared/operations/tables.ts';
import { isDeclined, type TransferItem } from './queue.ts';
import { listMovesOf } from './rows.ts';

// Parameters that are names of ours, and not what an outside service has said.
const NAMES = new Set(['domain', 'name', 'ns', 'source', 'target', 'zone']);

/** Returns a reason as parameters of an event: its key, numbers and names. Of what came from outside an HTTP status alone is told. */
export function whyOf({ key, params = {} }: Message): NonNullable<NewEvent['params']> {
  const told = Object.entries(params).map(([name, value]) => {
    const isOurs = typeof value === 'number' || NAMES.has(name);
    return [name, isOurs ? value : (/HTTP \d{3}$/.exec(value)?.[0] ?? '…')];
  });
  return { ...Object.fromEntries(told), why: key };
}

/** Whether an item has ended half done, or nobody knows how: a person has to look at the two domains. */
const isOpen = ({ error_key }: OperationItemRow): boolean =>
  error_key === 'operation.not_taken_back' || error_key === 'operation.unclear';

/**
 * Returns what people are told of the end of a transfer, with the known reason: of each main domain that has not moved, unless the list has freed it, and of each
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
    const cause = `operation:${id}`;
    const why = (text: string | null) => (text === null ? {} : whyOf(JSON.parse(text) as Message));
    const move = moves.find(({ main_domain_name }) => main_domain_name === source.name);
    if (move) {
      const isDone = row.state === 'done';
      if (isDone && move.warning === null) return [];
      // Nothing that is done can be tried again. A reason may name an operation of its own.
      const params = { ...why(row.error ?? move.warning), from: source.name, ...(isDone ? {} : { retry: id }) };
      return [{ kind: 'transfer_waits', name: target.name, domain_id: target.id, params, cause }];
    }
    if (row.state !== 'failed' || row.error_key === 'transfer.main_free') return [];
    const kind = isOpen(row) ? 'transfer_waits' : 'transfer_failed';
    const params = { ...why(row.error), to: target.name };
    return [{ kind, name: source.name, domain_id: source.id, params, cause }];
  });
}
