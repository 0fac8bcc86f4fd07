// The portfolio of the demo, and the day on which it is frozen.
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { setClock, FROZEN_NOW } from '../../src/demo/clock.ts';
import { domainAt } from '../../src/demo/domains.ts';
import { dump } from '../support/database.ts';
import { config, count, counts, demo, inside, start, useDemo } from './running.ts';

useDemo();

describe('the portfolio', () => {
  test('has the figures of the contract', async () => {
    await start();
    expect(await counts()).toEqual({
      projects: 6,
      domains: 240,
      cloudflare_accounts: 3,
      cloudflare_groups: 2,
      servers: 5,
      registrars: 5,
      templates: 3,
    });
    expect(existsSync(config.databaseFile)).toBe(false);
    expect(existsSync(config.keyFile)).toBe(false);
  });

  test('contains every state of a domain', async () => {
    await start();
    await inside(async () => {
      const ready = `type = 'transfer' AND status = 'available' AND server_id > 0 AND cloudflare_account_id IN (1, 2)`;
      const projectsWith = (reserves: string) =>
        select(`SELECT project_id FROM domains WHERE project_id IS NOT NULL GROUP BY project_id
          HAVING sum(type = 'main' AND status = 'blocked') > 0 AND ${reserves}`);
      expect(await projectsWith(`sum(${ready}) > 3`)).toHaveLength(4);
      expect(await projectsWith(`sum(type = 'transfer') = 0`)).toHaveLength(1);
      const lone = `sum(type = 'transfer') = 1 AND sum(type = 'transfer' AND status = 'blocked') = 1`;
      expect(await projectsWith(lone)).toHaveLength(1);
      for (const state of [
        `http_error = 'timeout'`,
        `http_error = 'reset'`,
        `http_status_code = 503`,
        `http_status_code = 404 AND last_http_check_at < strftime('%Y-%m-%d', 'now', '-1 days')`,
        `last_http_check_at IS NULL`,
        `expired_at < strftime('%Y-%m-%d', 'now')`,
        `expired_at BETWEEN strftime('%Y-%m-%d', 'now') AND strftime('%Y-%m-%d', 'now', '+30 days')`,
        `expired_at IS NULL`,
        `domain_name LIKE 'xn--%' AND unicode_name LIKE '%.рф'`,
        `project_id IS NULL`,
        `transfer_type = 'manual'`,
        `cloudflare_account_id IS NULL`,
        `user_id = 2`,
      ]) {
        expect([state, (await count(state)) > 0]).toEqual([state, true]);
      }
      const [{ days } = { days: 0 }] = await select<{ days: number }>(
        'SELECT count(DISTINCT day) AS days FROM check_days',
      );
      expect(days).toBeGreaterThanOrEqual(30);
    });
  });

  test('has no duplicate names at any size', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => domainAt(index, new Date()).domain_name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9.-]+$/.test(name))).toEqual([]);
  });

  test('has the requested size, and is rebuilt for another size', async () => {
    await start({ size: 30 });
    expect((await counts())['domains']).toBe(30);
    await demo?.close();
    await start({ size: 1_000 });
    expect((await counts())['domains']).toBe(1_000);
    await demo?.close();
    await start();
    expect((await counts())['domains']).toBe(1_000);
  });

  test('has sealed secrets', async () => {
    await start({ size: 30 });
    expect(await inside(dump)).not.toMatch(/demo-secret|1{37}/);
  });
});

describe('a frozen demo', () => {
  const real = globalThis.Date;
  afterEach(() => {
    globalThis.Date = real;
  });

  test('is the same on every day', async () => {
    await start({ size: 60, frozen: true });
    expect(new Date().toISOString()).toContain(FROZEN_NOW.toISOString().slice(0, 16));
    const names = () => inside(() => select('SELECT id, domain_name, expired_at FROM domains'));
    const first = await names();
    await demo?.close();
    setClock(new real('2031-01-01T00:00:00Z'));
    await start({ size: 60, frozen: true });
    expect(await names()).toEqual(first);
  });

  test('has a clock that runs on from its fixed day', () => {
    setClock(FROZEN_NOW);
    const before = Date.now();
    expect(before - FROZEN_NOW.getTime()).toBeLessThan(60_000);
    expect(new Date(0).getTime()).toBe(0);
    expect(new Date() instanceof Date).toBe(true);
    expect(Date.parse('1970-01-01T00:00:00Z')).toBe(0);
  });
});
