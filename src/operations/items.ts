import { setMaxListeners } from 'node:events';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import type { Message } from '../shared/i18n/index.ts';
import { ITEM_STATES, type ItemState } from '../shared/operations.ts';
import type { Flow, FlowStep, ItemWork, Patience, StepContext, StepOutcome } from './flow.ts';
import { runLane } from './item-lane.ts';
import type { Run } from './item-run.ts';
import { journalOf } from './journal.ts';
import { countItemsByState, listItemRows } from './item-rows.ts';

/** Retries of work that declares no `patience`. */
export const USUAL_PATIENCE: Patience = { attempts: 12, firstPauseMs: 1000, longestPauseMs: 300_000 };

/** Number of items by state. */
export type ItemCounts = Record<ItemState, number>;

/** Makes a flow that works item by item; `finished` returns the final message from the counts by state. */
export function itemFlow<L, D, I>(
  kind: string,
  work: ItemWork<L, D, I>,
  finished: (counts: ItemCounts) => Message = changedItems,
): Flow {
  return {
    kind,
    steps: () => [itemStep(work as ItemWork)],
    total: async ({ total }) => total,
    finished: async ({ id }) => finished(await countItems(id)),
    byItems: true,
    items: work as ItemWork,
  };
}

/** The final message of most flows. */
const changedItems = ({ done, noop, failed }: ItemCounts): Message => ({
  key: 'operation.items_finished',
  params: { done, noop, failed },
});

/** Counts the items of an operation by state. */
export async function countItems(id: number): Promise<ItemCounts> {
  const rows = await countItemsByState(id);
  const counts = Object.fromEntries(ITEM_STATES.map((state) => [state, 0])) as ItemCounts;
  for (const { state, n } of rows) counts[state] = n;
  return counts;
}

/**
 * Makes the step that works an operation's items, each lane on its own. Each act is committed before it is performed
 * (`intent`) and after (`done`), so that after a crash every act in doubt can be looked up. A bug in one lane stops the
 * others and is thrown.
 */
export function itemStep(work: ItemWork): FlowStep {
  return { name: 'items', run: (context) => runItems(work, context) };
}

async function runItems(work: ItemWork, context: StepContext): Promise<StepOutcome> {
  const rows = await listItemRows(context.operation.id);
  const open = rows.filter(({ state }) => state === 'queued' || state === 'intent');
  context.advance(rows.length - open.length, rows.filter(({ state }) => state === 'failed').length);
  const lanes = new Map<string, OperationItemRow[]>();
  for (const row of open) {
    const lane = lanes.get(row.lane);
    if (lane) lane.push(row);
    else lanes.set(row.lane, [row]);
  }
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const ending = work.rollback ? signal : AbortSignal.any([signal, context.cancelled]);
  // Every lane that waits listens: Node would take more than ten for a leak.
  setMaxListeners(0, signal, ending);
  const run: Run = {
    context: { ...context, signal },
    journal: journalOf(context.operation, signal, context.giveUp),
    patience: work.patience ?? USUAL_PATIENCE,
    rollback: work.rollback,
    ending,
  };
  const ends = await Promise.allSettled(
    [...lanes].map(([name, items]) =>
      runLane(run, work, name, items).catch((error: unknown) => {
        stop.abort();
        throw error;
      }),
    ),
  );
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
  return {};
}
