// A reading that is killed again and again: what was answered and stored is not asked for, or paid, once more.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { useSecretKey } from '../../../src/lib/secret.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { startFetch } from '../../../src/services/positions/fetch.ts';
import { startChild, type Child } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { addAccount, ann, database, fake, makeProject, paid, usePositions } from './world.ts';

usePositions();

const KILLS = 5;
// So many keywords are read at once, page by page: the answer of each may be under way to its commit.
const AT_ONCE = 30;

/** Returns the pages that are stored, as the fake names them. */
async function storedPages(): Promise<string[]> {
  const pages = await select<{ value: string; page: number }>(
    'SELECT k.value, s.page FROM search_pages s JOIN search_queries q ON q.id = s.query_id JOIN keywords k ON k.id = q.keyword_id',
  );
  const read = await select<{ value: string; requests: number }>(
    'SELECT k.value, s.requests FROM search_days s JOIN search_queries q ON q.id = s.query_id JOIN keywords k ON k.id = q.keyword_id',
  );
  const whole = read.flatMap(({ value, requests }) => Array.from({ length: requests }, (_, page) => ({ value, page })));
  return [...pages, ...whole].map(({ value, page }) => `${value}/${page}`);
}

test('killed five times, it pays for no page again that was answered', async () => {
  const key = randomBytes(32);
  useSecretKey(key);
  await addAccount();
  const words = Array.from({ length: 150 }, (_, index) => `word ${index}`);
  const { id: projectId } = await makeProject(words, ['main.ru']);
  const { id } = await startFetch(ann, { projectId, keywordId: null, type: 'yandex' });
  const args = [database.file, database.folder, fake.url, key.toString('hex'), String(id)];
  // Pages charged and not stored at the kills: no more than these may be paid again.
  let lost = 0;
  const killed = async (child: Child): Promise<Set<string>> => {
    await child.kill();
    // Calls that had arrived are answered into the void.
    await sleep(100);
    await endLeases();
    const stored = new Set(await storedPages());
    const open = new Set(paid().filter((page) => !stored.has(page)));
    expect(open.size).toBeLessThanOrEqual(AT_ONCE);
    lost += open.size;
    return stored;
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = paid().length;
    const child = startChild('test/children/positions.ts', args);
    await expect.poll(() => paid().length, { interval: 5 }).toBeGreaterThan(before + 20);
    const stored = await killed(child);
    const after = paid().length;
    // The next run asks for none of what is stored now.
    const next = startChild('test/children/positions.ts', args);
    await expect.poll(() => paid().length, { interval: 5 }).toBeGreaterThan(after + 5);
    await killed(next);
    expect(
      paid()
        .slice(after)
        .filter((page) => stored.has(page)),
    ).toEqual([]);
  }
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: 150, failed: 0 });
  const all = paid();
  expect(all.length - new Set(all).size).toBeLessThanOrEqual(lost);
  expect(await storedPages()).toHaveLength(new Set(all).size);
});
