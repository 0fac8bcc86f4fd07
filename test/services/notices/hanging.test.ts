// A channel that hangs keeps neither the grouping nor the other channels waiting.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { select, transaction } from '../../../db/index.ts';
import { useConfig } from '../../../src/lib/config.ts';
import { createLog } from '../../../src/lib/log.ts';
import { startNotifier } from '../../../src/notifier/notifier.ts';
import type { NoticeChannel, Sent } from '../../../src/providers/provider.ts';
import { webhookChannel } from '../../../src/providers/webhook.ts';
import { useChannels } from '../../../src/services/notices/channels.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { temporaryConfig } from '../../support/server.ts';
import { startHook, type Hook } from './hook.ts';
import { addPortfolio } from './world.ts';

let database: TestDatabase;
let hook: Hook;
let begun = 0;
let release = (): void => undefined;
beforeEach(async () => {
  database = await startDatabase();
  useConfig(temporaryConfig());
  hook = await startHook();
  const address = async (id: number) => JSON.stringify({ url: `${hook.url}/user/${id}`, secret: 's' });
  const channel = webhookChannel(true);
  // A connection that nothing ends, as long as the test lasts.
  begun = 0;
  const answer = new Promise<Sent>((resolve) => (release = () => resolve({ outcome: 'sent', ref: null })));
  const hanging: NoticeChannel = { send: () => ((begun += 1), answer) };
  useChannels({ email: { channel: hanging, addressOf: address }, telegram: { channel, addressOf: address } }, channel);
  await addPortfolio({ domains: 1 });
});
afterEach(async () => {
  release();
  await hook.close();
  await database.close();
});

const happens = (name: string) =>
  transaction(() => recordEvents([{ kind: 'operation_attention', name, user_id: 2, params: {} }]));

test('events while a mail server hangs are grouped, and told over Telegram', { timeout: 120_000 }, async () => {
  await writePreferences(2, { levels: { telegram: ['critical'], email: ['critical'] } });
  const notifier = startNotifier(createLog('silent'));
  try {
    await happens('first');
    await expect.poll(() => begun, { timeout: 60_000 }).toBe(1);
    await expect.poll(() => hook.calls.length, { timeout: 60_000 }).toBe(1);
    await happens('second');
    await expect.poll(() => hook.calls.length, { timeout: 60_000 }).toBe(2);
    expect(await select('SELECT 1 FROM notices')).toHaveLength(2);
  } finally {
    release();
    await notifier.stop();
  }
});
