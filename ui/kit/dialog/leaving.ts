/** Asks whether to leave; `go` leaves. */
export type Asker = (go: () => void) => void;

interface Guard {
  ask: Asker;
  /** The place in the history of what is guarded. */
  place: number;
}

// The topmost dialog is the last one.
const guards: Guard[] = [];
// The next step of the history was asked for by the page itself, or was confirmed.
let isAllowed = false;
// The next step of the history takes back one that is asked about.
let isReturning = false;
let allowedLink: Element | undefined;

// The router numbers the entries that it makes.
const placeNow = (): number => (window.history.state as { idx?: number } | null)?.idx ?? Number.NaN;

/** Called before the page itself goes back in the history, as where a dialog closes: that is not asked about. */
export function allowStep(): void {
  isAllowed = true;
}

/** Asks before Back, Forward or a link leaves what was typed. Returns what ends that. */
export function guardLeaving(ask: Asker): () => void {
  const guard = { ask, place: placeNow() };
  guards.push(guard);
  return () => void guards.splice(guards.indexOf(guard), 1);
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

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;

/** Whether a link leads to another address of this page load. */
const leads = ({ target, origin, pathname, search }: HTMLAnchorElement): boolean =>
  target !== '_blank' &&
  origin === window.location.origin &&
  pathname + search !== window.location.pathname + window.location.search;

function onClick(event: MouseEvent): void {
  const guard = guards.at(-1);
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!guard || !link || link === allowedLink || link.hasAttribute('download')) return;
  if (!isPlain(event) || !leads(link)) return;
  event.preventDefault();
  event.stopPropagation();
  guard.ask(() => {
    allowedLink = link;
    link.click();
    allowedLink = undefined;
  });
}

// Before the router hears of it, and before a link's own handler.
window.addEventListener('popstate', onStep, { capture: true });
document.addEventListener('click', onClick, { capture: true });
