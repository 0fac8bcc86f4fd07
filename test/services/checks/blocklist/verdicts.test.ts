import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBlocklistText } from '../../../../src/services/checks/blocklist-bulk.ts';
import { blocklistStatus, checkBlocklist, updateBlocklist } from '../../../../src/services/checks/blocklist.ts';
import { dir, file, hoursAgo, names, NOW, serve, statuses, useLists } from './lists.ts';

useLists();

describe('verdicts and age', () => {
  test('every name is unknown without a list', async () => {
    expect(await statuses(['a.example', 'b.example'])).toEqual(['unknown', 'unknown']);
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'missing', entries: null, age_hours: null });
  });

  test('a list from a file gives verdicts in the order asked and fills the status', async () => {
    const meta = await updateBlocklist(dir, { file: file('a.example\n*.b.example\n10.0.0.1\n'), now: NOW });
    expect(meta).toEqual({
      list_version: expect.stringMatching(/^[0-9a-f]{8}-2$/),
      source: 'list.txt',
      format: 'list',
      entries: { exact: 1, mask: 1, url: 0 },
      unusable: 0,
      fetched_at: NOW.toISOString(),
      updated_at: null,
    });
    expect(await blocklistStatus(dir, NOW)).toEqual({
      state: 'fresh',
      age_hours: 0,
      ...meta,
      doubt: null,
      former: null,
    });
    expect(await statuses(['x.b.example', 'free.example', 'a.example', 'a.example'])).toEqual([
      'blocked',
      'free',
      'blocked',
      'blocked',
    ]);
  });

  test('a list older than 72 hours says unknown, never free', async () => {
    await updateBlocklist(dir, { file: file('a.example\n'), now: hoursAgo(72) });
    expect(await statuses(['a.example', 'b.example'])).toEqual(['blocked', 'free']);
    await updateBlocklist(dir, { file: file('a.example\n'), now: hoursAgo(72.1) });
    expect(await statuses(['a.example', 'b.example'])).toEqual(['unknown', 'unknown']);
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'stale', age_hours: 72.1 });
  });

  test("the list's own date counts, however fresh the file is", async () => {
    const path = file('Updated: 2014-04-22 11:05:00 +0000\n1.1.1.1;a.example;;o;n;d\n', 'dump.csv');
    await updateBlocklist(dir, { file: path, source: 'my dump', now: NOW });
    expect(await blocklistStatus(dir, NOW)).toMatchObject({
      state: 'stale',
      source: 'my dump',
      updated_at: '2014-04-22T11:05:00.000Z',
    });
    expect(await statuses(['a.example', 'b.example'])).toEqual(['unknown', 'unknown']);
  });

  test('a date in the future does not keep a list fresh for ever', async () => {
    await updateBlocklist(dir, {
      file: file('Updated: 2099-01-01 00:00:00 +0000\n1.1.1.1;a.example;;o;n;d\n'),
      now: NOW,
    });
    expect(await statuses(['a.example'])).toEqual(['blocked']);
    expect(await statuses(['a.example'], hoursAgo(-73))).toEqual(['unknown']);
  });

  test('a list read before the clock was set back is stale and is fetched again without conditions', async () => {
    const sent: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      sent.push(request.headers['if-none-match']);
      const isKnown = request.headers['if-none-match'] === '"v"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v"' }).end(isKnown ? '' : 'a.example\n');
    });
    const ahead = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
    await updateBlocklist(dir, { url, now: ahead(8_000) });
    await updateBlocklist(dir, { url, now: ahead(8_001) });
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'stale', age_hours: 8_001 });
    expect(await statuses(['a.example'])).toEqual(['unknown']);
    await updateBlocklist(dir, { url, now: NOW });
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'fresh', fetched_at: NOW.toISOString() });
    expect(await statuses(['a.example'])).toEqual(['blocked']);
    await updateBlocklist(dir, { url, now: ahead(1) });
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ fetched_at: ahead(1).toISOString() });
    expect(sent).toEqual([undefined, '"v"', undefined, '"v"']);
  });

  test('a truncated index gives no verdict, and says so; the next list replaces it', async () => {
    await updateBlocklist(dir, { file: file(names(100)), now: NOW });
    truncateSync(join(dir, 'list.idx'), 5000);
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'damaged' });
    expect(await statuses(['name-1.example', 'b.example'])).toEqual(['unknown', 'unknown']);
    await updateBlocklist(dir, { file: file(names(101)), now: NOW });
    expect(await statuses(['name-1.example'])).toEqual(['blocked']);
  });

  test('a damaged index is not confirmed by a source that has nothing newer', async () => {
    const url = await serve((request, response) => {
      if (request.headers['if-none-match']) response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end(names(100));
    });
    await updateBlocklist(dir, { url, now: NOW });
    const bytes = readFileSync(join(dir, 'list.idx'));
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(join(dir, 'list.idx'), bytes);
    await updateBlocklist(dir, { url, now: NOW });
    expect(await statuses(names(100).trim().split('\n'))).toEqual(Array.from({ length: 100 }, () => 'blocked'));
    const whole = readFileSync(join(dir, 'list.idx'));
    expect(whole.equals(bytes)).toBe(false);
  });
});

describe('a text of names', () => {
  test('gets the same verdicts as its names one by one', async () => {
    const csv = '1.1.1.1;a.example;;;;\n1.1.1.1;*.b.example;;;;\n1.1.1.1;*.c.example;;;;\n1.1.1.1;c.example;;;;\n';
    const urls =
      '1.1.1.1;u.example;http://u.example/;;;\n1.1.1.1;a.example;http://a.example/;;;\n1.1.1.1;x.b.example;http://x/;;;\n';
    await updateBlocklist(dir, { file: file(csv + urls, 'dump.csv'), now: NOW });
    const asked = [
      'a.example',
      'x.y.b.example',
      'x.b.example',
      'b.example',
      'c.example',
      'u.example',
      'f.example',
      'x.a.example',
    ];
    const text = Buffer.from(`${asked.join('\n')}\nA.example\n`);
    const verdicts = await checkBlocklist(dir, asked, NOW);
    const found = await checkBlocklistText(dir, text, NOW);
    expect(Buffer.concat([...(found?.itemsJson ?? [])]).toString()).toBe(
      JSON.stringify(asked.map((domain, i) => Object.assign({ domain }, verdicts[i]))),
    );
    expect(found?.summary).toEqual({ total: 8, blocked: 5, free: 3, unknown: 0 });
  });

  test('of many names is answered in chunks that make one array', async () => {
    await updateBlocklist(dir, { file: file('*.b.example\nname-7.example\n'), now: NOW });
    const asked = Array.from({ length: 30_000 }, (_, i) => `name-${i}.${'abc'[i % 3]}.example`.replace('.a.', '.'));
    const found = await checkBlocklistText(dir, Buffer.from(asked.join('\n')), NOW);
    const parts = [...(found?.itemsJson ?? [])];
    expect(parts.length).toBeGreaterThan(2);
    const verdicts = await checkBlocklist(dir, asked, NOW);
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual(
      asked.map((domain, i) => Object.assign({ domain }, verdicts[i])),
    );
  });

  test('gets no verdicts without a list, from an old or damaged one, or where a line is no name', async () => {
    const check = (text = 'a.example\nb.example\n') => checkBlocklistText(dir, Buffer.from(text), NOW);
    expect(await check()).toBeNull();
    await updateBlocklist(dir, { file: file('a.example\n'), now: hoursAgo(72.1) });
    expect(await check()).toBeNull();
    await updateBlocklist(dir, { file: file('a.example\n'), now: NOW });
    expect(await check()).not.toBeNull();
    expect(await check('a.example\nword\n')).toBeNull();
    expect(await check('')).toBeNull();
    const bytes = readFileSync(join(dir, 'list.idx'));
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(join(dir, 'list.idx'), bytes);
    expect(await check()).toBeNull();
  });
});
