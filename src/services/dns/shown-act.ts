import { isDeepStrictEqual } from 'node:util';
import type { Act } from '../../operations/flow.ts';
import type { PlannedAct } from '../../operations/plan.ts';
import type { RecordsAfter } from '../../shared/dns/dns-diff.ts';
import { AppError } from '../../shared/errors.ts';
import { digestOf, notShown, type Shown } from '../operations/shown-plans.ts';
import { asIfThere, asIfMissing } from './zone-act.ts';
import type { OpenAccount } from './zones.ts';

/** An item whose plan was shown; null: it could not be looked at then. `isMade`: its operation has made the zone since. */
interface ShownItem {
  item: string;
  shown: Shown | null;
  isMade: () => boolean;
}

type Planned = (lane: OpenAccount) => readonly Act[];

async function lookedAt(item: string, acts: readonly Act[]): Promise<PlannedAct[]> {
  const planned: PlannedAct[] = [];
  for (const act of acts) {
    const change = await act.look();
    if (change) planned.push({ item, act: act.name, before: change.before, after: change.after });
  }
  return planned;
}

/** Whether an act on what a zone holds is one of those that were shown, or a part of it. */
function isAmong({ act, before, after }: PlannedAct, shown: readonly PlannedAct[]): boolean {
  if (act !== 'dns')
    return shown.some((one) => isDeepStrictEqual([one.act, one.before, one.after], [act, before, after]));
  const { created, updated, deleted } = after as RecordsAfter;
  const wanted = shown.flatMap((one) => (one.act === act ? (one.after as RecordsAfter).created : []));
  return (
    updated.length + deleted.length === 0 &&
    created.every((record) => wanted.some((one) => isDeepStrictEqual(one, record)))
  );
}

const CONTENT = new Set(['dns', 'rule']);

/** Whether a zone that the operation has made holds nothing that the plan would not have replaced: it was shown as missing. */
async function isAsMade(
  { item, shown }: ShownItem,
  planned: Planned,
  lane: OpenAccount,
  now: PlannedAct[],
): Promise<boolean> {
  const missing = await lookedAt(item, planned(asIfMissing(lane)));
  if (digestOf(missing) !== shown?.digest) return false;
  return now.filter(({ act }) => CONTENT.has(act)).every((act) => isAmong(act, missing));
}

/**
 * Returns the first act of an item whose plan was shown: it looks at all that was planned, and throws AppError `conflict`
 * where that differs, or where the plan did not show the item.
 */
export function shownAct(of: ShownItem, planned: Planned, lane: OpenAccount): Act {
  const look = async (): Promise<null> => {
    if (of.shown === null) throw notShown();
    const now = await lookedAt(of.item, planned(asIfThere(lane)));
    if (digestOf(now) === of.shown.digest) return null;
    if (of.isMade() && (await isAsMade(of, planned, lane, now))) return null;
    throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
  };
  return { name: 'check', class: 'read', look };
}
