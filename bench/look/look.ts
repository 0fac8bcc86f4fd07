import '../../test/support/acting.ts';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../test/support/browser.ts';
import { median, startServing, type Serving } from '../serving.ts';

const NAMES = 20_000;
const ROUNDS = 3;
const SCROLL_MS = 5_000;
// A wheel that is turned without a pause moves this many pixels a frame.
const STEP_PX = 120;
const SCREENS = ['/', '/sites', '/projects', '/dns', '/check-site'];
const ROW = '.rows tbody td';
const TYPED = 'shop-19';

interface Scroll {
  perSecond: number;
  /** CPU time of the page's main thread for a frame in ms: on a busy machine this is steadier than frames a second. */
  cpu: number;
  /** The longest task of the main thread in ms; 0 where none took 50 ms. */
  longest: number;
  nodes: number;
}

/** Starts to collect a page's long tasks and layout shifts; runs before its scripts. */
function collect(): void {
  const seen = { tasks: [] as number[], shift: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    seen.tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) seen.shift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Scrolls an element of the page for a while, a step a frame; at its end it begins again at the top. */
async function scroll(page: Page, selector: string): Promise<Scroll> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await spent();
  const { frames, ...seen } = await turn(page, selector);
  return { ...seen, cpu: ((await spent()) - before) / frames };
}

const turn = (page: Page, selector: string): Promise<Omit<Scroll, 'cpu'> & { frames: number }> =>
  page.evaluate(
    async ({ selector, ms, step }) => {
      const { seen } = window as unknown as { seen: { tasks: number[] } };
      const box = document.querySelector(selector)!;
      seen.tasks.length = 0;
      let nodes = 0;
      let frames = 0;
      const begin = performance.now();
      for (let now = begin; now - begin < ms;) {
        box.scrollTop += step;
        if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) box.scrollTop = 0;
        now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        frames += 1;
        if (frames % 60 === 0) nodes = Math.max(nodes, document.querySelectorAll('*').length);
      }
      const seconds = (performance.now() - begin) / 1_000;
      return { frames, perSecond: frames / seconds, longest: Math.max(0, ...seen.tasks), nodes };
    },
    { selector, ms: SCROLL_MS, step: STEP_PX },
  );

/** The peer of a list: as many rows of plain text, of which those in sight are written anew at every frame. */
function trivialTable(): string {
  return `<div id="box" style="height:680px;overflow:auto"><div id="all" style="height:${NAMES * 40}px"><table id="table"></table></div></div>
    <script>
      const draw = () => {
        const first = Math.floor(box.scrollTop / 40);
        const cell = (row, column) => '<td>cell ' + row + '.' + column + '</td>';
        const line = (row) => '<tr style="height:40px">' + [0, 1, 2, 3, 4, 5, 6, 7, 8].map((column) => cell(row, column)).join('') + '</tr>';
        table.style.transform = 'translateY(' + first * 40 + 'px)';
        table.innerHTML = Array.from({ length: 19 }, (_, at) => line(first + at)).join('');
      };
      box.addEventListener('scroll', draw);
      draw();
    </script>`;
}

/** Opens the peer in a page of its own: in one of ours the policy of scripts would leave it empty. */
async function openTrivial(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(collect);
  await page.goto('about:blank');
  await page.setContent(trivialTable());
  await page.waitForSelector('#table td');
  return page;
}

async function open(browser: Browser, { port, headers }: Serving, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(collect);
  await page.addInitScript((token) => localStorage.setItem('token', token), headers['authorization'] ?? '');
  await page.goto(`http://127.0.0.1:${port}${path}`);
  await page.waitForSelector(path === '/sites' ? ROW : 'h1');
  return page;
}

/** Milliseconds from the end of the first page of names to the first row. */
async function firstRows(browser: Browser, { port, headers }: Serving): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript((token) => {
    localStorage.setItem('token', token);
    const timer = setInterval(() => {
      if (!document.querySelector('.rows tbody td')) return;
      Object.assign(window, { drawn: performance.now() });
      clearInterval(timer);
    }, 4);
  }, headers['authorization'] ?? '');
  await page.goto(`http://127.0.0.1:${port}/sites`);
  await page.waitForFunction(() => 'drawn' in window);
  const time = await page.evaluate(() => {
    const { drawn } = window as unknown as { drawn: number };
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const data = entries.find(({ name }) => /\/api\/(user_)?domains/.test(name));
    return drawn - (data?.responseEnd ?? 0);
  });
  await context.close();
  return time;
}

/** Milliseconds from the last key of a search to the list that it finds. */
async function search(browser: Browser, serving: Serving): Promise<number> {
  const page = await open(browser, serving, '/sites');
  const box = page.getByRole('searchbox').first();
  await box.fill(TYPED.slice(0, -1));
  await page.waitForTimeout(1_500);
  const before = await page.locator('.rows').innerText();
  const begin = performance.now();
  await box.press('End');
  await page.keyboard.type(TYPED.slice(-1));
  await page.waitForFunction((text) => document.querySelector<HTMLElement>('.rows')?.innerText !== text, before, {
    polling: 'raf',
  });
  const time = performance.now() - begin;
  await page.context().close();
  return time;
}

/** Prints how the list scrolls beside the peer, in turns. */
async function benchScroll(browser: Browser, serving: Serving): Promise<void> {
  const trivial: Scroll[] = [];
  const ours: Scroll[] = [];
  const take = async (page: Page, selector: string, into: Scroll[]): Promise<void> => {
    into.push(await scroll(page, selector));
    await page.context().close();
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await take(await open(browser, serving, '/sites'), '.rows', ours);
    await take(await openTrivial(browser), '#box', trivial);
  }
  const middle = (runs: readonly Scroll[], of: 'perSecond' | 'cpu'): number => median(runs.map((run) => run[of]));
  const [rate, peer] = [middle(ours, 'perSecond'), middle(trivial, 'perSecond')];
  console.log(
    `look: /sites with ${NAMES} scrolls at ${rate.toFixed(0)} frames a second, a trivial one at ${peer.toFixed(0)} ` +
      `(${(rate / peer).toFixed(2)}, goal 0.9); a frame takes ${middle(ours, 'cpu').toFixed(1)} ms of the main thread, ` +
      `of a trivial one ${middle(trivial, 'cpu').toFixed(1)}; longest task ${Math.max(...ours.map(({ longest }) => longest)).toFixed(0)} ms (goal 100), ` +
      `most nodes ${Math.max(...ours.map(({ nodes }) => nodes))} (goal 1500)`,
  );
}

/**
 * Prints what a browser does with 20,000 names: frames a second beside a trivial table, long tasks, nodes, layout shift, first rows
 * and search. Needs a Chromium, and a built interface.
 */
async function benchLook(): Promise<void> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  const serving = await startServing(NAMES);
  const browser = await chromium.launch(found);
  try {
    await benchScroll(browser, serving);
    const rows: number[] = [];
    const searched: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rows.push(await firstRows(browser, serving));
      searched.push(await search(browser, serving));
    }
    console.log(
      `look: first rows ${median(rows).toFixed(0)} ms after the data (goal 1000), a search ${median(searched).toFixed(0)} ms (goal 300)`,
    );
    for (const path of SCREENS) {
      const page = await open(browser, serving, path);
      await page.waitForTimeout(1_000);
      const shift = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
      console.log(`look: ${path} shifts by ${shift.toFixed(3)} (goal 0.05)`);
      await page.context().close();
    }
  } finally {
    await browser.close();
    await serving.close();
  }
}

await benchLook();
