import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { registerFlows } from '../../src/operations/engine.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { storeLooks } from '../../src/services/checks/check-store.ts';
import { translate, type Key, type Params } from '../../src/shared/i18n/index.ts';
import { startOutside, testFlow, type Outside } from '../operations/outside.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { faultsOf } from './support/audit.ts';
import { usePages } from './support/page.ts';

const t = (key: Key, params?: Params): string => translate('ru', key, params);

const open = usePages();
let server: TestServer;
let outside: Outside;
let person: Person;
let count = 0;

beforeAll(async () => {
  server = await startServer();
  outside = await startOutside();
  registerFlows([testFlow(outside.url)]);
});
beforeEach(async () => {
  person = await createPerson(server);
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

/** Queues an operation that no one runs before `release`. */
async function queue(names: string[]): Promise<number> {
  count += 1;
  const { id } = await enqueue(
    {
      kind: 'test',
      subject: String(count),
      user_id: person.id,
      input: {},
      message: { key: 'check.started' },
      items: names.map((name) => ({ item: `${name}-${count}.example`, lane: 'one', data: {} })),
    },
    true,
  );
  return id;
}

const release = (id: number) =>
  transaction(() => execute('UPDATE operations SET lease_owner = NULL, lease_until = NULL WHERE id = $id', { id }));

const running = (page: Page) => page.getByRole('button', { name: t('ui.operations_running', { n: 1 }) });
const idle = (page: Page) => page.getByRole('button', { name: t('ui.operations'), exact: true });
const finished = (params: Params) => t('operation.items_finished', params);

it('the tray shows an operation started elsewhere, across screens and reloads, and reports its end', async () => {
  const page = await open(server.url, { token: person.token });
  expect(await idle(page).count()).toBe(0);
  const id = await queue(['a', 'b']);
  await running(page).waitFor();
  await page.goto(`${server.url}/sites`);
  await running(page).click();
  await page.getByText(t('ui.operation_queued')).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await release(id);
  await page
    .getByRole('status')
    .getByText(finished({ done: 2, noop: 0, failed: 0 }))
    .waitFor();
  await idle(page).waitFor();
});

it('the tray names the kind of work, and until when it waits in the time zone of the reader', async () => {
  const id = await queue(['a']);
  await transaction(() =>
    execute("UPDATE operations SET kind = 'tls', waits_until = '2026-11-27T09:05:00.000Z' WHERE id = $id", { id }),
  );
  const page = await open(`${server.url}/operations`, { token: person.token });
  const told = t('operation.waits_until', { time: '12:05' });
  await page.getByRole('region').getByText(told).waitFor();
  await running(page).click();
  const row = page.getByRole('listitem').filter({ hasText: told });
  await expect.poll(() => row.innerText()).toContain(t('operation.kind_tls'));
});

it('the tray polls while the stream is cut off', async () => {
  const id = await queue(['a']);
  const page = await open(server.url, {
    token: person.token,
    prepare: (page) => page.route('**/api/events', (route) => route.abort()),
  });
  await running(page).waitFor();
  await release(id);
  await page
    .getByRole('status')
    .getByText(finished({ done: 1, noop: 0, failed: 0 }))
    .waitFor();
  await idle(page).waitFor();
  expect(await running(page).count()).toBe(0);
});

it('an operation shows what failed and why, is retried, and is restored', async () => {
  const id = await queue(['a', 'b']);
  const [a, b] = [`a-${count}.example`, `b-${count}.example`];
  outside.values.set(a, 'old');
  outside.faults.set(b, ['refuse']);
  await release(id);
  const page = await open(server.url, { token: person.token });
  await idle(page).click();
  await page.getByRole('link', { name: finished({ done: 1, noop: 0, failed: 1 }) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(b).waitFor();
  await expect.poll(() => dialog.getByText(a).count()).toBe(0);
  await dialog.getByText('refuse').first().waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole('button', { name: t('operations.retry', { n: 1 }) }).click();
  await dialog.getByText(finished({ done: 2, noop: 0, failed: 0 })).waitFor();
  await dialog.getByRole('button', { name: t('operations.any'), exact: true }).click();
  await dialog.getByText('old → wanted').waitFor();
  await dialog.getByRole('button', { name: t('operations.restore') }).click();
  const asking = page.getByRole('alertdialog');
  expect(await faultsOf(page, [1280])).toEqual([]);
  await asking.getByRole('button', { name: t('operations.restore') }).click();
  await expect.poll(() => outside.values.get(a)).toBe('old');
});

it('a queued operation is cancelled from its dialog, and appears in the list of all operations', async () => {
  const id = await queue(['a']);
  const page = await open(`${server.url}/operations?operation=${id}`, { token: person.token });
  // If it were released before the cancellation arrived, it would finish as done.
  const cancelled = page.waitForResponse((response) => response.url().endsWith(`/api/operations/${id}/cancel`));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('operations.cancel'), exact: true })
    .click();
  await cancelled;
  await release(id);
  await page
    .getByRole('dialog')
    .getByText(t('operation.cancelled_items', { done: 0, cancelled: 1, failed: 0 }))
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('ui.operation_cancelled'), exact: true }).click();
  await page.getByRole('link', { name: t('operations.title', { kind: 'test', id }) }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

it('the open dialog of an operation follows what its restore gives back', async () => {
  const id = await queue(['a']);
  await release(id);
  const page = await open(`${server.url}/operations?operation=${id}`, { token: person.token });
  const dialog = page.getByRole('dialog');
  const restore = dialog.getByRole('button', { name: t('operations.restore') });
  await restore.click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('operations.restore') })
    .click();
  await dialog.getByRole('button', { name: t('operations.retry', { n: 1 }) }).waitFor();
  await expect.poll(() => restore.count()).toBe(0);
});

it('the path of an operation leads to its dialog, and back does not lead to the path', async () => {
  const id = await queue(['a']);
  await release(id);
  const page = await open(server.url, { token: person.token });
  await page.goto(`${server.url}/operations/${id}`);
  await expect.poll(() => page.url()).toBe(`${server.url}/operations?operation=${id}`);
  await page
    .getByRole('dialog')
    .getByText(t('operations.title', { kind: 'test', id }))
    .waitFor();
  await page.goBack();
  await expect.poll(() => page.url()).toBe(`${server.url}/`);
});

it('an unknown operation is reported as such', async () => {
  const page = await open(`${server.url}/operations?operation=999999`, {
    token: person.token,
    expected: /^404 \/api\/operations/,
  });
  await page.getByText(t('operations.load_failed')).waitFor();
  expect(await faultsOf(page, [1280])).toEqual([]);
});

/** Opens the list with a new domain of the person, and returns how to have a check find it blocked. */
async function openList(prepare?: (page: Page) => Promise<unknown>) {
  count += 1;
  const body = { domain_name: `followed-${count}.example` };
  const { id } = (await request(server, 'POST /api/domains', { token: person.token, body })).body.data;
  const page = await open(`${server.url}/sites`, { token: person.token, ...(prepare && { prepare }) });
  await page.getByText(body.domain_name).waitFor();
  const blocked = page.getByText('blocked', { exact: true });
  expect(await blocked.count()).toBe(0);
  const block = (): Promise<void> =>
    transaction(async () => {
      await execute(`UPDATE domains SET status = 'blocked' WHERE id = $id`, { id });
      await storeLooks('blocklist', [{ id, verdict: 'blocked', detail: body.domain_name }]);
    });
  return { blocked: blocked.first(), block };
}

it('a list is updated with the results of a check', async () => {
  const { blocked, block } = await openList();
  await block();
  await expect.poll(() => blocked.isVisible()).toBe(true);
});

it('a list is updated with what has happened before its stream of events was open', async () => {
  let openStream = (): void => undefined;
  const isTime = new Promise<void>((resolve) => {
    openStream = resolve;
  });
  const { blocked, block } = await openList((page) =>
    page.route('**/api/events', async (route) => {
      await isTime;
      await route.continue();
    }),
  );
  await block();
  openStream();
  await expect.poll(() => blocked.isVisible()).toBe(true);
});
