import { guards, placeNow, type Asker } from './leaving.ts';

let allowedLink: Element | undefined;

/** Asks before Back, Forward or a link leaves what was typed. Returns what ends that. */
export function guardLeaving(ask: Asker): () => void {
  const guard = { ask, place: placeNow() };
  guards.push(guard);
  return () => void guards.splice(guards.indexOf(guard), 1);
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

// Before a link's own handler.
document.addEventListener('click', onClick, { capture: true });
