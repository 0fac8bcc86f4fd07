// A process that is killed while it sends: what another one makes of it.
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { execute, select, transaction } from '../../../db/index.ts';
import { useConfig } from '../../../src/lib/config.ts';
import { renderContent } from '../../../src/notifier/render.ts';
import { webhookChannel } from '../../../src/providers/webhook.ts';
import { useChannels } from '../../../src/services/notices/channels.ts';
import { deliverDue } from '../../../src/services/notices/deliveries.ts';
import { groupPending } from '../../../src/services/notices/notices.ts';
import { startChild } from '../../support/child.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { temporaryConfig } from '../../support/server.ts';
import { startHook, type Hook } from './hook.ts';
import { addPortfolio } from './world.ts';

let database: TestDatabase;
let hook: Hook;
beforeEach(async () => {
  database = await startDatabase();
  hook = await startHook();
  useConfig(temporaryConfig({}, database.folder));
  const channel = webhookChannel(true);
  const addressOf = async (id: number) => JSON.stringify({ url: `${hook.url}/user/${id}`, secret: 's' });
  useChannels({ telegram: { channel, addressOf } }, channel);
});
afterEach(async () => {
  await hook.close();
  await database.close();
});

const states = () => select<{ state: string }>('SELECT state FROM notice_deliveries ORDER BY id');

test.each([
  ['notice:before-intent', 'queued', 1, 'sent'],
  // Nobody can tell whether it arrived: it is marked, and not sent a second time.
  ['notice:after-intent', 'sending', 0, 'unknown'],
  ['notice:after-call', 'sending', 1, 'unknown'],
])(
  'killed at %s it leaves a delivery that is %s; %i were sent in the end, and the log says %s',
  async (point, left, times, end) => {
    await addPortfolio({ domains: 1 });
    await transaction(() => recordEvents([{ kind: 'new_network', name: '203.0.113.0', user_id: 2 }]));
    await groupPending(new Date(Date.now() + 60_000));
    // The clock of the grouping was ahead.
    const past = new Date(Date.now() - 3_600_000).toISOString();
    await transaction(() => execute('UPDATE notice_deliveries SET due_at = $past', { past }));
    process.env['SEO_ADMIN_CRASH_AT'] = point;
    const child = startChild('test/children/notices.ts', [database.file, database.folder, hook.url]);
    delete process.env['SEO_ADMIN_CRASH_AT'];
    const [, signal] = (await once(child.process, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    expect(await states()).toEqual([{ state: left }]);
    // Its lease lasts: nobody else sends meanwhile.
    const meanwhile = left === 'sending' ? await deliverDue(renderContent) : 0;
    expect(meanwhile).toBe(0);
    await transaction(() =>
      execute(`UPDATE notice_deliveries SET lease_until = $past WHERE state = 'sending'`, { past }),
    );
    await deliverDue(renderContent);
    await deliverDue(renderContent);
    expect(hook.calls.map(({ path }) => path)).toEqual(Array.from({ length: times }, () => '/user/2'));
    expect(await states()).toEqual([{ state: end }]);
    const given = await select(`SELECT 1 FROM audit WHERE object = 'notice_deliveries'`);
    expect(given).toHaveLength(end === 'unknown' ? 1 : 0);
  },
);
