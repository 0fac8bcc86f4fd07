import { chromium, type Browser, type BrowserContextOptions, type Page, type Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';

/** How a page is opened. */
export interface Visit {
  token?: string;
  theme?: 'light' | 'dark';
  lang?: 'ru' | 'en';
  /** Pixels; 1280 unless told. */
  width?: number;
  /** The failing answers that a test asks for: matches `500 /api/users`. */
  expected?: RegExp;
  /** Called before anything is loaded, to put the server out of order. */
  prepare?: (page: Page) => Promise<unknown>;
  context?: BrowserContextOptions;
}

export type Open = (url: string, visit?: Visit) => Promise<Page>;

// The sign-in asks whether this is the first run; 404 is the answer of every later day.
const FIRST_RUN = '404 /api/setup';

/** Collects what a page must not do: errors in the console, violations of the content policy among them, and alerts. */
function watch(page: Page, expected: RegExp | undefined): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    // Said of every answer above 399, without its address: those are watched below.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => {
    faults.push(`${dialog.type()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('response', (response) => {
    const answer = `${response.status()} ${new URL(response.url()).pathname}`;
    if (response.status() >= 400 && answer !== FIRST_RUN && !expected?.test(answer)) faults.push(answer);
  });
  return faults;
}

/** A page in a session of its own, signed in, with nothing loaded yet. */
export async function openPage(browser: Browser, origin: string, visit: Visit): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: visit.width ?? 1280, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Moscow',
    ...visit.context,
  });
  for (const [name, value] of Object.entries({ theme: visit.theme, lang: visit.lang })) {
    if (value !== undefined) await context.addCookies([{ name, value, url: origin }]);
  }
  // Playwright gives up after 30 s, which a loaded machine can take.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  count(page);
  if (visit.token !== undefined) {
    // Once, not at every load: what ends a session has to stay ended.
    const blank = `${origin}/blank`;
    await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(blank);
    await page.evaluate((token) => localStorage.setItem('token', token), visit.token);
  }
  return page;
}

/**
 * For the head of a test file: gives what opens an address in a session of its own. After each test all its pages must
 * have been without faults. Where there is no browser, every test of the file is skipped, with how to get one.
 */
export function usePages(): Open {
  let browser: Browser | undefined;
  const opened: { page: Page; faults: string[] }[] = [];
  beforeAll(async () => {
    const endpoint = inject('browser');
    if (endpoint !== '') browser = await chromium.connect(endpoint);
  });
  beforeEach(({ skip, task }) => {
    if (browser) return;
    // The reporter counts the skipped tests; it names them only where it is told to be verbose.
    console.log(`Skipped: "${task.name}" ${inject('missing')}`);
    skip(inject('missing'));
  });
  afterEach(async () => {
    const visits = opened.splice(0);
    await Promise.all(visits.map(({ page }) => page.context().close()));
    const faults = visits.flatMap((visit) => visit.faults);
    if (faults.length > 0) throw new Error(`In the browser:\n${faults.join('\n')}`);
  });
  afterAll(() => browser?.close());
  return async (url, visit = {}) => {
    if (!browser) throw new Error(inject('missing'));
    const page = await openPage(browser, new URL(url).origin, visit);
    opened.push({ page, faults: watch(page, visit.expected) });
    await visit.prepare?.(page);
    await page.goto(url);
    await settled(page);
    return page;
  };
}

// The requests of each page that are on their way.
const pending = new WeakMap<Page, Set<Request>>();

function count(page: Page): void {
  const requests = new Set<Request>();
  pending.set(page, requests);
  page.on('request', (request) => {
    // What the server tells of itself has no end.
    if (new URL(request.url()).pathname !== '/api/events') requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/**
 * Waits until nothing more is on its way: the screen is there, no request is unanswered and none came of the answers,
 * its fonts are loaded, nothing is a grey stripe or moves (a spinner moves for ever and does not count).
 */
export async function settled(page: Page): Promise<void> {
  const isWaiting = (): boolean => (pending.get(page)?.size ?? 0) > 0;
  for (let isDrawn = false; !isDrawn || isWaiting(); isDrawn = await drawn(page)) {
    await page.waitForFunction(
      () =>
        document.querySelector('h1') !== null &&
        document.querySelector('.bp6-skeleton, [aria-busy="true"]') === null &&
        document.fonts.status === 'loaded' &&
        document.getAnimations().every(({ playState, effect }) => {
          return playState !== 'running' || effect?.getTiming().iterations === Infinity;
        }),
    );
  }
}

/** Two frames: one to draw what has come, one for what that asks for. False where the page went elsewhere meanwhile. */
async function drawn(page: Page): Promise<boolean> {
  try {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('Execution context was destroyed')) return false;
    throw error;
  }
}
