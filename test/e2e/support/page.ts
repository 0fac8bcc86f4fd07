import { randomUUID } from 'node:crypto';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type Request,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';

/** The options of a page. */
export interface Visit {
  token?: string;
  theme?: 'light' | 'dark';
  lang?: 'ru' | 'en';
  /** Pixels; 1280 by default. */
  width?: number;
  /** The failed answers that a test expects, in the form `500 /api/users`, and what the console says of them. */
  expected?: RegExp;
  /** Called before anything is loaded, for example to make calls fail. */
  prepare?: (page: Page) => Promise<unknown>;
  context?: BrowserContextOptions;
}

export type Open = (url: string, visit?: Visit) => Promise<Page>;

// The sign-in asks whether this is the first run; once there is a user, the answer is 404. A server that a test's end closes
// refuses the event stream of a page that is still open.
const EXPECTED = new Set(['404 /api/setup', '503 /api/events']);

/**
 * Collects a page's faults: console errors (violations of the content policy among them), failed answers and alerts.
 */
function watch(page: Page, expected: RegExp | undefined): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    // The console reports every answer above 399 without its address; those are watched below.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer && !expected?.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => {
    faults.push(`${dialog.type()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('response', (response) => {
    const answer = `${response.status()} ${new URL(response.url()).pathname}`;
    if (response.status() >= 400 && !EXPECTED.has(answer) && !expected?.test(answer)) faults.push(answer);
  });
  return faults;
}

async function newContext(browser: Browser, visit: Visit): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: visit.width ?? 1280, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Moscow',
    ...visit.context,
  });
  // Playwright's default of 30 s is too short for a loaded machine.
  context.setDefaultTimeout(120_000);
  return context;
}

/**
 * Runs in the page before its scripts: empties the storage of an earlier session. Stores the token once, not on every
 * load: an ended session has to stay ended.
 */
function beginSession({ origin, session, token }: { origin: string; session: string; token?: string }): void {
  if (self.origin !== origin || localStorage.getItem('test-session') === session) return;
  localStorage.clear();
  localStorage.setItem('test-session', session);
  if (token !== undefined) localStorage.setItem('token', token);
}

/**
 * Runs in the page before its scripts: counts the answers that they have not read yet, as `unread`. The browser tells the end of a
 * request before the page has seen it.
 */
function countUnread(): void {
  const page = self as typeof self & { unread: number };
  page.unread = 0;
  const counted = async <T>(reading: Promise<T>): Promise<T> => {
    page.unread++;
    try {
      return await reading;
    } finally {
      // The page's own work with the answer comes before.
      setTimeout(() => page.unread--);
    }
  };
  const ask = self.fetch;
  const askAndRead: typeof fetch = async (input, init) => {
    const answer = await ask(input, init);
    const [json, text] = [answer.json.bind(answer), answer.text.bind(answer)];
    return Object.assign(answer, { json: () => counted(json()), text: () => counted(text()) });
  };
  self.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    // The event stream never ends.
    return pathname === '/api/events' ? ask(input, init) : counted(askAndRead(input, init));
  };
}

/** Opens a page in a context that has no other, without the cookies and the storage of an earlier one. */
async function pageIn(context: BrowserContext, origin: string, visit: Visit): Promise<Page> {
  await context.clearCookies();
  for (const [name, value] of Object.entries({ theme: visit.theme, lang: visit.lang })) {
    if (value !== undefined) await context.addCookies([{ name, value, url: origin }]);
  }
  const page = await context.newPage();
  count(page);
  await page.addInitScript(countUnread);
  await page.addInitScript(beginSession, { origin, session: randomUUID(), token: visit.token });
  return page;
}

/** Opens a signed-in page in a new session, with nothing loaded yet. */
export async function openPage(browser: Browser, origin: string, visit: Visit): Promise<Page> {
  return pageIn(await newContext(browser, visit), origin, visit);
}

/**
 * Called at the head of a test file; returns a function that opens a URL in a new session. After each test all its
 * pages must be without faults; the report of a failed test has the text of its pages. Without a browser every test of
 * the file is skipped, with a message on how to get one.
 */
export function usePages(): Open {
  let browser: Browser | undefined;
  const opened: { page: Page; faults: string[]; kind: string }[] = [];
  // Contexts without pages but one, by their options: a used one has the interface's files in its cache.
  const idle = new Map<string, BrowserContext[]>();
  // With the one page that stays, the process stays, and what that has read and compiled.
  const staying = new Set<Page>();
  const pagesOf = (context: BrowserContext): Page[] => context.pages().filter((page) => !staying.has(page));
  beforeAll(async () => {
    const endpoint = inject('browser');
    if (endpoint !== '') browser = await chromium.connect(endpoint);
  });
  beforeEach(({ skip, task }) => {
    if (browser) return;
    // The reporter counts the skipped tests, but names them only in verbose mode.
    console.log(`Skipped: "${task.name}" ${inject('missing')}`);
    skip(inject('missing'));
  });
  afterEach(async ({ task }) => {
    const visits = opened.splice(0);
    const hasFailed = (task.result?.errors?.length ?? 0) > 0;
    const seen = hasFailed ? await Promise.all(visits.map(({ page }) => shown(page))) : [];
    for (const { page, kind } of visits) {
      const context = page.context();
      // A route's handler that still waits for something on the page is no fault of it.
      await Promise.all(pagesOf(context).map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
      await Promise.all(pagesOf(context).map((one) => one.close()));
      idle.set(kind, [...(idle.get(kind) ?? []), context]);
    }
    const faults = [...visits.flatMap((visit) => visit.faults), ...seen];
    if (faults.length > 0) throw new Error(`In the browser:\n${faults.join('\n')}`);
  });
  afterAll(() => browser?.close());
  return async (url, visit = {}) => {
    if (!browser) throw new Error(inject('missing'));
    const kind = JSON.stringify([visit.width, visit.context]);
    const { origin } = new URL(url);
    let context = idle.get(kind)?.pop();
    if (!context) {
      context = await newContext(browser, visit);
      const stays = await context.newPage();
      staying.add(stays);
      await stays.goto(`${origin}/api/health`);
    }
    const page = await pageIn(context, origin, visit);
    opened.push({ page, faults: watch(page, visit.expected), kind });
    await visit.prepare?.(page);
    await page.goto(url);
    await settled(page);
    return page;
  };
}

/** Describes a page for the report of a failed test: address, pending requests, focus and the beginning of its text. */
async function shown(page: Page): Promise<string> {
  const requests = [...(pending.get(page) ?? [])].map((request) => `pending: ${request.method()} ${request.url()}`);
  const text = page.evaluate(
    () => `focus: ${document.activeElement?.outerHTML.slice(0, 200)}\n${document.body.innerText.slice(-2_000)}`,
  );
  return [page.url(), ...requests, await text.catch(String)].join('\n');
}

// The pending requests of each page.
const pending = new WeakMap<Page, Set<Request>>();

function count(page: Page): void {
  const requests = new Set<Request>();
  pending.set(page, requests);
  page.on('request', (request) => {
    // The event stream never ends.
    if (new URL(request.url()).pathname !== '/api/events') requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/**
 * Waits until the page is idle: the screen is there, no request is pending, all answers are read and no request follows from
 * them, fonts are loaded, and there is no skeleton or animation (except spinners, which never end).
 */
export async function settled(page: Page): Promise<void> {
  const isWaiting = (): boolean => (pending.get(page)?.size ?? 0) > 0;
  for (let isDrawn = false; !isDrawn || isWaiting(); isDrawn = await drawn(page)) {
    await page.waitForFunction(
      () =>
        !(self as typeof self & { unread?: number }).unread &&
        document.querySelector('h1') !== null &&
        document.querySelector('.bp6-skeleton, [aria-busy="true"]') === null &&
        document.fonts.status === 'loaded' &&
        document.getAnimations().every(({ playState, effect }) => {
          return playState !== 'running' || effect?.getTiming().iterations === Infinity;
        }),
    );
  }
}

/**
 * Waits two frames: one renders the answers, one starts requests that follow. After each it waits for a timer and a message as
 * well: answers are handed on by timers, and React defers by messages. Returns false if the page navigated meanwhile.
 */
async function drawn(page: Page): Promise<boolean> {
  try {
    await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        await new Promise((resolve) => setTimeout(resolve));
        await new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', resolve);
          port1.start();
          port2.postMessage(null);
        });
      }
    });
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('Execution context was destroyed')) return false;
    throw error;
  }
}
