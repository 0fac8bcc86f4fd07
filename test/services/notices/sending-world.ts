// A database, a clock, and a real server that is called, for tests of what is sent.
import { afterEach, beforeEach, vi } from 'vitest';
import { select } from '../../../db/index.ts';
import { webhookChannel } from '../../../src/providers/webhook.ts';
import { useConfig } from '../../../src/lib/config.ts';
import { renderContent } from '../../../src/notifier/render.ts';
import { storeHealth } from '../../../src/services/checks/check-http.ts';
import type { Look } from '../../../src/services/checks/look-rows.ts';
import { useChannels } from '../../../src/services/notices/channels.ts';
import { deliverDue } from '../../../src/services/notices/deliveries.ts';
import { groupPending } from '../../../src/services/notices/notices.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { temporaryConfig } from '../../support/server.ts';
import { startHook, type Hook } from './hook.ts';

/** When each test begins. */
export const START = Date.parse('2026-05-04T12:00:00.000Z');
export const MINUTE = 60_000;

let database: TestDatabase;
/** The server that webhooks and people's channels call. */
export let hook: Hook;

/** Gives each test of a file a database, a clock, and channels that call `hook`. */
export function useSending(): void {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    database = await startDatabase();
    hook = await startHook();
    useConfig(temporaryConfig());
    const channel = webhookChannel(true);
    const addressOf = async (id: number) => JSON.stringify({ url: `${hook.url}/user/${id}`, secret: 's' });
    useChannels({ telegram: { channel, addressOf } }, channel);
  });
  afterEach(async () => {
    await hook.close();
    await database.close();
    vi.useRealTimers();
  });
}

const look = (id: number, code: number | null): Look => ({
  id,
  verdict: code === null ? 'timeout' : String(code),
  code,
  ms: 10,
  detail: null,
});
/** Stores a look at domains: their HTTP code, null for a timeout. */
export const looks = (ids: number[], code: number | null) => storeHealth(ids.map((id) => look(id, code)));

/** Lets time pass until what has happened is grouped, and sends. */
export async function turn(ms = 10_000): Promise<void> {
  vi.setSystemTime(Date.now() + ms);
  await groupPending(new Date());
  while ((await deliverDue(renderContent)) > 0) continue;
}

/** Domains that answered stop to do so, and a second look finds the same. */
export const goesDown = async (ids: number[]): Promise<void> => {
  await looks(ids, 200);
  await looks(ids, null);
  await looks(ids, null);
};

/** The titles that a path of the hook was called with. */
export const titles = (path: string): string[] =>
  hook.calls.filter((call) => call.path === path).map(({ body }) => body.title);
/** The deliveries, oldest first. */
export const states = () =>
  select<{ state: string; kind: string }>('SELECT kind, state FROM notice_deliveries ORDER BY id');
