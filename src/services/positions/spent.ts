import { AppError } from '../../shared/errors.ts';
import { dayOf } from '../../shared/positions/places.ts';
import { settingsOf } from './settings.ts';
import { countSpent } from './spending-rows.ts';

/** Paid requests of a project today: those that are stored, and those of this process that are not yet. */
interface Spent {
  day: number;
  stored: number;
  underWay: number;
  cap: number;
  readings: number;
}

const spentBy = new Map<number, Spent>();

/**
 * The requests that a project may still pay for today. All readings of a process share it; what other processes pay is known with
 * each `refresh`. So the cap is exceeded by no more than what other processes have under way, and what was under way when one was
 * killed.
 */
export interface Purse {
  /** Takes one more request from the cap of the day. Throws AppError `refused` where the project has used it up. */
  reserve: () => void;
  /** Counts requests as no longer under way: they are stored, or were not charged. */
  release: (requests?: number) => void;
  /** Reads what is stored, and the cap, which may be changed at any time. */
  refresh: () => Promise<void>;
  close: () => void;
}

/** Opens the purse of a project for a reading. */
export async function openPurse(projectId: number): Promise<Purse> {
  const spent = spentBy.get(projectId) ?? { day: 0, stored: 0, underWay: 0, cap: 0, readings: 0 };
  spentBy.set(projectId, spent);
  spent.readings += 1;
  const turnTo = (day: number): void => {
    if (spent.day !== day) Object.assign(spent, { day, stored: 0 });
  };
  const refresh = async (): Promise<void> => {
    const day = dayOf(Date.now());
    const [stored, { daily_cap }] = await Promise.all([countSpent(projectId, day), settingsOf(projectId)]);
    turnTo(day);
    // Two readings may come back in another order than they have asked.
    spent.stored = Math.max(spent.stored, stored);
    spent.cap = daily_cap;
  };
  const close = (): void => {
    spent.readings -= 1;
    if (spent.readings === 0) spentBy.delete(projectId);
  };
  await refresh().catch((error: unknown) => {
    close();
    throw error;
  });
  return {
    reserve: () => {
      turnTo(dayOf(Date.now()));
      if (spent.stored + spent.underWay >= spent.cap) {
        throw new AppError('refused', 'positions.cap', { cap: spent.cap });
      }
      spent.underWay += 1;
    },
    release: (requests = 1) => {
      spent.underWay -= requests;
    },
    refresh,
    close,
  };
}
