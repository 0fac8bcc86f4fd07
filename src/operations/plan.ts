import { createHash } from 'node:crypto';
import type { Said } from '../shared/i18n/index.ts';
import { saidOf } from './failure.ts';
import type { ItemWork, NewItem } from './flow.ts';

/** One act that would be made. */
export interface PlannedAct {
  item: string;
  act: string;
  before: unknown;
  after: unknown;
}

/** What an operation would change, found by looking alone. The same plan has the same `hash`. */
export interface Plan {
  acts: PlannedAct[];
  /** Items that could not be looked at, with why. */
  failed: { item: string; error: Said }[];
  unchanged: number;
  hash: string;
}

const AT_ONCE = 4;

/** Looks at every item and says what would be changed, without changing anything. Throws what a lane does not open for. */
export async function planItems<L, D, I>(
  work: Pick<ItemWork<L, D, I>, 'open' | 'acts'>,
  items: readonly NewItem[],
  input: I,
  signal: AbortSignal = new AbortController().signal,
): Promise<Plan> {
  const plan: Omit<Plan, 'hash'> = { acts: [], failed: [], unchanged: 0 };
  const lanes = [...new Set(items.map(({ lane }) => lane))];
  const found = new Map<string, PlannedAct[]>();
  for (const name of lanes) {
    const mine = items
      .filter(({ lane }) => lane === name)
      .map(({ item, data }) => ({ item, lane: name, data: data as D, acts: [] }));
    const lane = await work.open(name, mine, signal);
    const queue = [...mine];
    const look = async (): Promise<void> => {
      for (let item = queue.shift(); item; item = queue.shift()) {
        const acts: PlannedAct[] = [];
        try {
          for (const act of work.acts(item, lane, input)) {
            const change = await act.look();
            if (change) acts.push({ item: item.item, act: act.name, before: change.before, after: change.after });
          }
          found.set(item.item, acts);
        } catch (error) {
          const said = saidOf(error);
          if (!said) throw error;
          plan.failed.push({ item: item.item, error: said });
          // What comes before an act that fails is done nevertheless.
          if (acts.length > 0) found.set(item.item, acts);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, look));
  }
  for (const { item } of items) {
    const acts = found.get(item);
    if (acts?.length === 0) plan.unchanged += 1;
    plan.acts.push(...(acts ?? []));
  }
  const hash = createHash('sha256').update(JSON.stringify(plan.acts)).digest('base64url');
  return { ...plan, hash };
}
