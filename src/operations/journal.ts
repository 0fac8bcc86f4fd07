import { transaction } from '../../db/index.ts';
import { ageOf, moment } from '../lib/time/moment.ts';
import type { OperationItemRow, OperationRow } from '../shared/operations/tables.ts';
import type { OwnRow } from './flow.ts';
import { patiently } from './failure.ts';
import { endingOf, save } from './lease.ts';
import { listRestoredItems, updateItems, updateRestored } from './item-rows.ts';
import { hasUndone, markUndone } from './notes.ts';
import { isHeld, touchOperation } from './rows.ts';

/** Thrown after another process has taken the work over: this one must write and do nothing more. */
export class LostWork extends Error {}

interface Entry {
  row: OperationItemRow;
  own: OwnRow | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Writes items durably; resolves after the commit. Writes asked for while a transaction runs share the next one. */
export interface Journal {
  write: (row: OperationItemRow, own?: OwnRow) => Promise<void>;
  /**
   * Resolves if the work is still ours, and throws LostWork if not; called right before a call that changes something outside.
   * Costs nothing soon after a commit. A process that stood still since then (stopped, asleep with its machine) asks anew.
   */
  confirmHeld: () => Promise<void>;
}

// A sixth of the lease: a process that goes on this late may have lost its work.
const FRESH_MS = 5000;

function ownRows(entries: Entry[]): Map<OwnRow['save'], object[]> {
  const rows = new Map<OwnRow['save'], object[]>();
  for (const { own } of entries) {
    if (!own) continue;
    const kind = rows.get(own.save);
    if (kind) kind.push(own.row);
    else rows.set(own.save, [own.row]);
  }
  return rows;
}

const lost = ({ id }: OperationRow): LostWork => new LostWork(`operation ${id} was taken over`);

/** Throws LostWork if another process has taken the work over (its fence has moved on). Call inside the transaction that writes. */
export async function requireHeld(operation: OperationRow): Promise<void> {
  if (!(await isHeld(operation))) throw lost(operation);
}

/** Takes what the items of a restore have undone, or may have undone, from the items that they give back. */
async function takeUndone({ subject }: OperationRow, rows: readonly OperationItemRow[]): Promise<void> {
  const backs = new Map(rows.filter(hasUndone).map((row) => [row.id, row]));
  if (backs.size === 0) return;
  const restored = await listRestoredItems(Number(subject), [...backs.keys()]);
  const changed = restored.filter((row) => {
    const by = backs.get(row.back);
    return by !== undefined && markUndone(row, by);
  });
  if (changed.length === 0) return;
  await updateRestored(changed);
  // Those who look at it are told.
  await touchOperation(Number(subject));
}

/** Stores items; returns whether the work is to end early, as of this commit. */
async function store(operation: OperationRow, entries: Entry[]): Promise<boolean> {
  return transaction(async () => {
    await requireHeld(operation);
    const rows = entries.map(({ row }) => row);
    await updateItems(rows);
    if (operation.restored_kind !== null) await takeUndone(operation, rows);
    for (const [save, own] of ownRows(entries)) await save(own as never[]);
    return (await endingOf(operation.id)) !== null;
  });
}

/**
 * Makes the journal of a running operation. A durable commit costs milliseconds whatever it holds, so many items share one.
 * While our own database can't be written, a write waits, until `signal` fires. Rejects with LostWork once the fence has moved
 * on. If a commit finds the work cancelled, `giveUp` is called before its writes resolve, so that no noted intent is performed.
 */
export function journalOf(operation: OperationRow, signal: AbortSignal, giveUp: () => void): Journal {
  let waiting: Entry[] = [];
  let writing = false;
  let seenHeld = moment();
  const flush = async (): Promise<void> => {
    writing = true;
    while (waiting.length > 0) {
      const entries = waiting;
      waiting = [];
      const begun = moment();
      try {
        if (await patiently(() => store(operation, entries), signal)) giveUp();
        seenHeld = begun;
        for (const { resolve } of entries) resolve();
      } catch (error) {
        for (const { reject } of entries) reject(error);
      }
    }
    writing = false;
  };
  return {
    write: (row, own) =>
      new Promise((resolve, reject) => {
        // A copy: the caller may change the row before it is written.
        waiting.push({ row: { ...row }, own, resolve, reject });
        if (!writing) void flush();
      }),
    confirmHeld: async () => {
      while (ageOf(seenHeld) > FRESH_MS) {
        const begun = moment();
        // Renews the lease, too: nobody can claim the work before the call that follows.
        const { held } = await patiently(() => save(operation, false), signal);
        if (!held) throw lost(operation);
        seenHeld = begun;
      }
    },
  };
}
