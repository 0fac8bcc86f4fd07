import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, openDatabase, transaction } from '../../../db/index.ts';
import { recordEvents } from '../../../db/events.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { useChannels } from '../../../src/services/notices/channels.ts';
import { groupPending } from '../../../src/services/notices/notices.ts';
import { makeAdminHome, PASSWORD, type Home } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
  await home.run(['user', 'create', '--login', 'bob', '--password-stdin'], { input: PASSWORD });
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  useChannels({}, null);
  await transaction(() => recordEvents([{ kind: 'job_failed', name: 'purge' }]));
  await groupPending(new Date(Date.now() + 60_000));
  await closeDatabase();
});
afterAll(() => home.remove());

const list = async (...args: string[]) => (await home.run(['notice', 'list', '--json', ...args])).json.items;

test('`notice list` shows who may see it what lasts, until `notice ack` says that it was seen', async () => {
  expect(await list('--open', '--lang', 'en')).toMatchObject([
    { level: 'warning', title: 'The scheduled job “Removal of old rows” has failed' },
  ]);
  expect(await list('--as', 'bob')).toEqual([]);
  expect((await home.run(['notice', 'ack', '1', '--as', 'bob'])).exit).toBe(1);
  expect((await home.run(['notice', 'ack', '1'])).exit).toBe(0);
  expect(await list('--open')).toEqual([]);
  expect(await list('--level', 'warning')).toHaveLength(1);
});

test('`notice test` needs a user, and says where a channel does not reach him', async () => {
  expect((await home.run(['notice', 'test', 'email'])).exit).toBe(2);
  const { exit, json } = await home.run(['notice', 'test', 'email', '--as', 'bob', '--json']);
  expect([exit, json.error.code]).toEqual([1, 'refused']);
});
