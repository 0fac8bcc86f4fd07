const PARTS = 'script[type="module"][src], link[rel="modulepreload"], link[rel="preload"][as="style"]';

async function prefetch(): Promise<void> {
  const answer = await fetch('/');
  if (!answer.ok) return;
  const app = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of app.querySelectorAll(PARTS)) {
    const link = document.createElement('link');
    link.rel = 'prefetch';
    link.as = part.getAttribute('as') ?? 'script';
    link.crossOrigin = 'anonymous';
    link.href = part.getAttribute('src') ?? part.getAttribute('href') ?? '';
    document.head.append(link);
  }
}

let isAsked = false;

/**
 * Puts the app into the browser's cache when the page has nothing else to do; called when somebody begins to type, since whoever
 * only looks at the sign-in, or waits for it, has no use for that.
 */
export function loadAhead(): void {
  if (isAsked) return;
  isAsked = true;
  // Without the app in the cache, it is loaded after the sign-in.
  const begin = (): void => void prefetch().catch(() => undefined);
  if ('requestIdleCallback' in window) requestIdleCallback(begin);
  else setTimeout(begin, 200);
}
