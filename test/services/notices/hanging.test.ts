// A channel that hangs keeps neither the grouping nor the other channels waiting.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { select, transaction } from '../../../db/index.ts';
import { useConfig } from '../../../src/lib/config.ts';
import { createLog } from '../../../src/lib/log.ts';
import { startNotifier } from '../../../src/notifier/notifier.ts';
import { webhookChannel } from '../../../src/providers/webhook.ts';
import { useChannels } from '../../../src/services/notices/channels.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { temporaryConfig } from '../../support/server.ts';
import { startHook, type Hook } from './hook.ts';
import { addPortfolio } from './world.ts';

let database: TestDatabase;
let hook: Hook;
let silent: Server;
const held: ServerResponse[] = [];
beforeEach(async () => {
  database = await startDatabase();
  useConfig(temporaryConfig());
  hook = await startHook();
  silent = createServer((_request, response) => void held.push(response));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const at = (url: string) => async (id: number) => JSON.stringify({ url: `${url}/user/${id}`, secret: 's' });
  const channel = webhookChannel(true);
  const hanging = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  useChannels({ email: { channel, addressOf: at(hanging) }, telegram: { channel, addressOf: at(hook.url) } }, channel);
  await addPortfolio({ domains: 1 });
});
afterEach(async () => {
  for (const response of held) response.destroy();
  silent.closeAllConnections();
  silent.close();
  await hook.close();
  await database.close();
});

const happens = (name: string) =>
  transaction(() => recordEvents([{ kind: 'operation_attention', name, user_id: 2, params: {} }]));

test('what happens while a mail server hangs is grouped, and told over Telegram', { timeout: 120_000 }, async () => {
  await writePreferences(2, { levels: { telegram: ['critical'], email: ['critical'] } });
  const notifier = startNotifier(createLog('silent'));
  try {
    await happens('first');
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
    await expect.poll(() => hook.calls.length, { timeout: 60_000 }).toBe(1);
    await happens('second');
    await expect.poll(() => hook.calls.length, { timeout: 60_000 }).toBe(2);
    expect(await select('SELECT 1 FROM notices')).toHaveLength(2);
  } finally {
    for (const response of held) response.destroy();
    await notifier.stop();
  }
});
