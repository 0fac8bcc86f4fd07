import { useSyncExternalStore } from 'react';
import { keep, readKept } from '../../kit/reader/storage.ts';

/** The tour of the demo in this browser: whether its panel is shown, and the step it has come to. */
interface Tour {
  isOpen: boolean;
  step: number;
  /** The last transfer that there was when the tour began: a later one is that of its guest. */
  before?: number;
}

const KEY = 'demo-tour';
/** Number of steps. */
export const TOUR_STEPS = 5;

function read(): Tour {
  try {
    const { isOpen, step, before } = JSON.parse(readKept(KEY) ?? '{}') as Record<string, unknown>;
    const isStep = typeof step === 'number' && Number.isInteger(step) && step >= 0 && step < TOUR_STEPS;
    const noted = typeof before === 'number' && Number.isInteger(before) ? { before } : {};
    return { isOpen: isOpen === true, step: isStep ? step : 0, ...noted };
  } catch {
    return { isOpen: false, step: 0 };
  }
}

let tour = read();
const watchers = new Set<() => void>();

function setTour(next: Tour): void {
  tour = next;
  keep(KEY, JSON.stringify(next));
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useTour = (): Tour => useSyncExternalStore(watch, () => tour);

/** Shows the panel at the step where it was closed; a panel that is shown already takes the focus. */
export function openTour(): void {
  setTour({ ...tour, isOpen: true });
  document.getElementById(TOUR_ID)?.focus();
}

/** Hides the panel and keeps the step. */
export const closeTour = (): void => setTour({ ...tour, isOpen: false });

/** Goes on; after the last step the panel is hidden, and the next tour starts from the beginning. */
export const nextStep = (): void =>
  setTour(tour.step + 1 < TOUR_STEPS ? { ...tour, step: tour.step + 1 } : { isOpen: false, step: 0 });

/** Notes the last transfer that there was when the tour began; later calls change nothing. */
export function noteTransfers(last: number): void {
  if (tour.before === undefined) setTour({ ...tour, before: last });
}

/** The panel's id. */
export const TOUR_ID = 'tour';
