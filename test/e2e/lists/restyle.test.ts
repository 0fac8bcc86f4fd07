// Styles that the browser computes anew when a long list scrolls: those of the new rows, not of all.
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';
import { seedDomains } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedDomains(
    server.admin.id,
    Array.from({ length: 500 }, (_, n) => ({ domain_name: `n${n}.example` })),
  );
});
afterAll(() => server.close());

interface TraceEvent {
  name: string;
  args: { elementCount?: number };
}

/** Returns how many elements got their styles anew, for each time that the browser computed them during some work. */
async function restyled(session: CDPSession, work: () => Promise<unknown>): Promise<number[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const isOver = new Promise<void>((resolve) => {
    session.once('Tracing.tracingComplete', () => resolve());
  });
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } });
  await work();
  await session.send('Tracing.end');
  await isOver;
  return events.filter(({ name }) => name === 'UpdateLayoutTree').map(({ args }) => args.elementCount ?? 0);
}

test('a list that scrolls by three rows has the styles of these computed, not those of all rows', async () => {
  const page = await open(`${server.url}/sites`, { token: server.admin.token });
  const all = await page.locator('.rows tbody *').count();
  expect(all).toBeGreaterThan(500);
  const session = await page.context().newCDPSession(page);
  const counts = await restyled(session, () =>
    page.evaluate(async () => {
      const box = document.querySelector('.rows')!;
      for (let step = 0; step < 20; step += 1) {
        box.scrollTop += 120;
        // Not so fast that rows come without their cells.
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 60)));
      }
    }),
  );
  // Others are of a few elements, such as what follows the scrolling.
  const ofRows = counts.filter((count) => count >= 50).toSorted((one, other) => one - other);
  const middle = ofRows[Math.floor(ofRows.length / 2)] ?? 0;
  expect(ofRows.length).toBeGreaterThan(2);
  expect({ middle, isMost: middle > all / 2 }).toEqual({ middle, isMost: false });
});

test('rows that rush by show their names alone, and all of each once the list stands', async () => {
  const page = await open(`${server.url}/sites`, { token: server.admin.token });
  await page.locator('.rows tbody .held button').first().waitFor();
  const rushed = await page.evaluate(async () => {
    const box = document.querySelector('.rows')!;
    const bareOf = (): number =>
      [...box.querySelectorAll('tbody tr[data-index]')].filter(
        (row) => row.querySelector('a') && !row.querySelector('.held button'),
      ).length;
    // Within the rows that are here; on a loaded machine frames may be too late for a hurry.
    for (let step = 0; step < 2_000; step += 1) {
      box.scrollTop = (step % 8) * 400;
      await new Promise((drawn) => requestAnimationFrame(drawn));
      if (bareOf() > 0) return bareOf();
    }
    return 0;
  });
  expect(rushed).toBeGreaterThan(0);
  const bare = () =>
    page
      .locator('.rows tbody tr[data-index]')
      .evaluateAll((rows) => rows.filter((row) => !row.querySelector('.held button, .bp6-skeleton')).length);
  await expect.poll(bare).toBe(0);
});
