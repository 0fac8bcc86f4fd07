/** Asks whether to leave; `go` leaves. */
export type Asker = (go: () => void) => void;

interface Guard {
  ask: Asker;
  /** The place in the history when the guard was added. */
  place: number;
}

/** The active guards of unsaved input, added by `guardLeaving`; the guard of the topmost dialog is the last one. */
export const guards: Guard[] = [];
// The next step of the history was asked for by the page itself, or was confirmed.
let isAllowed = false;
// The next step of the history takes back one that is asked about.
let isReturning = false;

/** Returns the place in the history: the router numbers the entries that it makes. */
export const placeNow = (): number => (window.history.state as { idx?: number } | null)?.idx ?? Number.NaN;

/** Called before the page itself goes back in the history, as where a dialog closes: that is not asked about. */
export function allowStep(): void {
  isAllowed = true;
}

function onStep(event: PopStateEvent): void {
  const guard = guards.at(-1);
  const steps = guard ? placeNow() - guard.place : Number.NaN;
  if (isReturning) {
    isReturning = false;
    event.stopImmediatePropagation();
  } else if (isAllowed || !guard || Number.isNaN(steps) || steps === 0) {
    isAllowed = false;
  } else {
    // The address has changed already; the router has not heard of it.
    event.stopImmediatePropagation();
    isReturning = true;
    window.history.go(-steps);
    guard.ask(() => {
      allowStep();
      window.history.go(steps);
    });
  }
}

// Listens before the router does.
window.addEventListener('popstate', onStep, { capture: true });
