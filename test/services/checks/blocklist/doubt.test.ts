import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  acceptBlocklist,
  blocklistStatus,
  rollBackBlocklist,
  updateBlocklist,
} from '../../../../src/services/checks/blocklist.ts';
import { dir, file, names, NOW, serve, snapshot, statuses, useLists } from './lists.ts';

useLists();

describe('a list in doubt', () => {
  const load = (content: string, days = 0, accept = false) =>
    updateBlocklist(dir, { file: file(content), now: new Date(NOW.getTime() + days * 86_400_000), accept });
  const inDoubt = (reason: string, found: number, current: number) => ({
    kind: 'refused',
    key: `blocklist.${reason}`,
    code: 'list_in_doubt',
    params: { found, current },
  });
  const versions = async () => {
    const { list_version, doubt, former } = await blocklistStatus(dir, NOW);
    return { list: list_version, doubt: doubt?.list_version ?? null, former: former?.list_version ?? null };
  };

  test.each([
    ['at 60 % of its length', names(60), 'shrunk', 60],
    ['of the same names again and again', 'a.example\n'.repeat(100), 'shrunk', 1],
    ['a quarter longer', names(125), 'grown', 125],
  ])('waits for a person and leaves the current list byte for byte: %s', async (_, content, reason, found) => {
    await load(names(100));
    const { bytes } = snapshot();
    await expect(load(content)).rejects.toMatchObject(inDoubt(reason, found, 100));
    expect(snapshot().bytes).toEqual(bytes);
    expect(await statuses(['name-99.example'])).toEqual(['blocked']);
    const { doubt } = await blocklistStatus(dir, NOW);
    expect(doubt).toMatchObject({ reason, found, expected: 100, source: 'list.txt' });
    // A complete list afterwards is accepted and clears the doubt.
    await load(names(101));
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ entries: { exact: 101 }, doubt: null });
  });

  test.each([
    ['shrinks to 55 % six times', [100, 55, 30, 17, 9, 5, 3], 100],
    ['shrinks by a tenth again and again', [100, 90, 81, 73, 66, 59], 81],
    ['grows by 19 % a list', [100, 119, 142, 169, 201], 119],
    ['grows by 19 % and is then cut by a third', [100, 119, 81], 119],
    ['goes down and up again', [100, 81, 101, 81, 110], 110],
  ])('is measured against the last seven days: one that %s', async (_, sizes, last) => {
    for (const [day, size] of sizes.entries()) await load(names(size), day).catch(() => undefined);
    expect((await blocklistStatus(dir, NOW)).entries?.exact).toBe(last);
  });

  describe('of a dump is measured by the names that it blocks', () => {
    const row = (name: string, url: string): string => `192.0.2.1;${name};${url};ФНС;2-6-27/2026;2026-01-01\n`;
    const dump = (blocked: number, pages: number): string =>
      [
        'Updated: 2026-11-20 09:00:00 +0000\n',
        ...Array.from({ length: blocked }, (_, i) => row(`name-${i}.example`, '')),
        ...Array.from({ length: pages }, (_, i) => row(`page-${i}.example`, `http://page-${i}.example/x`)),
      ].join('');

    test.each([
      [
        'its rows lack the column of addresses, so that each lists a page alone',
        (sound: string) => sound.replaceAll(';;', ';'),
        'shrunk',
        0,
      ],
      [
        'its column of addresses is empty, so that each row blocks its name',
        (sound: string) => sound.replaceAll(/http[^;]*/g, ''),
        'grown',
        150,
      ],
    ] as const)('%s', async (_, spoil, reason, found) => {
      const sound = dump(100, 50);
      await load(sound);
      await expect(load(spoil(sound))).rejects.toMatchObject(inDoubt(reason, found, 100));
      expect(await statuses(['name-99.example', 'page-1.example'])).toEqual(['blocked', 'free']);
    });

    test('not by those whose pages alone are listed, which may come and go', async () => {
      for (const [blocked, pages] of [
        [100, 100],
        [101, 10],
        [100, 200],
        [102, 0],
      ] as const) {
        expect(await load(dump(blocked, pages))).toMatchObject({ entries: { exact: blocked, url: pages } });
      }
    });

    test('by a ledger as well that does not tell them yet', async () => {
      await load(dump(100, 100));
      const path = join(dir, 'lists.json');
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/"blocking":\d+,/g, ''));
      await load(dump(101, 100));
      await expect(load(dump(60, 140))).rejects.toMatchObject(inDoubt('shrunk', 60, 101));
    });

    test('where a list of as many rows, which blocked nothing, was given back', async () => {
      await load(dump(100, 0));
      await load(dump(101, 0).replaceAll(';;', ';'), 0, true);
      await rollBackBlocklist(dir, NOW);
      expect(await load(dump(102, 0))).toMatchObject({ entries: { exact: 102 } });
    });
  });

  test('is measured against the last list after seven days, and slow changes pass', async () => {
    for (const [index, size] of [100, 90, 81, 73, 66].entries()) await load(names(size), index * 8);
    await expect(load(names(50), 100)).rejects.toMatchObject(inDoubt('shrunk', 50, 66));
  });

  test('is taken over where a person accepts it, and later lists are measured against it', async () => {
    await load(names(100));
    await expect(load(names(10))).rejects.toMatchObject({ kind: 'refused' });
    expect(await acceptBlocklist(dir, NOW)).toMatchObject({ entries: { exact: 10 } });
    expect(await statuses(['name-9.example', 'name-99.example'])).toEqual(['blocked', 'free']);
    await load(names(11));
    await expect(acceptBlocklist(dir, NOW)).rejects.toMatchObject({ kind: 'conflict', key: 'blocklist.no_doubt' });
    await load(names(500), 0, true);
    await load(names(505));
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ entries: { exact: 505 }, doubt: null });
  });

  test('goes on waiting without being fetched again while its source answers 304', async () => {
    let content = names(100);
    let sent = 0;
    const url = await serve((request, response) => {
      const etag = `"${content.length}"`;
      const isKnown = request.headers['if-none-match'] === etag;
      sent += isKnown ? 0 : 1;
      response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? '' : content);
    });
    await updateBlocklist(dir, { url, now: NOW });
    content = names(50);
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(updateBlocklist(dir, { url, now: NOW })).rejects.toMatchObject(inDoubt('shrunk', 50, 100));
    }
    expect(sent).toBe(2);
    content = names(102);
    expect(await updateBlocklist(dir, { url, now: NOW })).toMatchObject({ entries: { exact: 102 } });
  });

  test('is fetched again where its file is damaged, and is gone where the source has the current list again', async () => {
    let content = names(100);
    const url = await serve((request, response) => {
      const etag = `"${content.length}"`;
      const isKnown = request.headers['if-none-match'] === etag;
      response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? '' : content);
    });
    const update = () => updateBlocklist(dir, { url, now: NOW });
    const waiting = async () => (await blocklistStatus(dir, NOW)).doubt?.found ?? null;
    const damage = async (): Promise<void> => {
      const path = join(dir, 'doubtful.idx');
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(path, bytes);
      await expect(acceptBlocklist(dir, NOW)).rejects.toMatchObject({
        kind: 'conflict',
        key: 'blocklist.doubt_damaged',
      });
    };
    await update();
    content = names(50);
    await expect(update()).rejects.toMatchObject(inDoubt('shrunk', 50, 100));
    await damage();
    await expect(update()).rejects.toMatchObject(inDoubt('shrunk', 50, 100));
    expect(await acceptBlocklist(dir, NOW)).toMatchObject({ entries: { exact: 50 } });
    content = names(20);
    await expect(update()).rejects.toMatchObject(inDoubt('shrunk', 20, 50));
    await damage();
    content = names(50);
    expect([await update(), await waiting()]).toMatchObject([{ entries: { exact: 50 } }, null]);
  });

  test('may be a list that was rolled back: it is not taken again unless a person accepts it', async () => {
    await load(names(100));
    await load(names(110));
    const before = await versions();
    expect(await rollBackBlocklist(dir, NOW)).toMatchObject({ entries: { exact: 100 } });
    expect(await statuses(['name-109.example', 'name-99.example'])).toEqual(['free', 'blocked']);
    expect(await versions()).toEqual({ list: before.former, doubt: null, former: null });
    await expect(rollBackBlocklist(dir, NOW)).rejects.toMatchObject({ kind: 'conflict', key: 'blocklist.no_former' });
    await expect(load(names(110))).rejects.toMatchObject(inDoubt('given_back', 110, 100));
    expect(await versions()).toEqual({ list: before.former, doubt: before.list, former: null });
    await acceptBlocklist(dir, NOW);
    expect(await versions()).toEqual({ list: before.list, doubt: null, former: before.former });
    await load(names(110));
  });

  test('may nearly equal a list that was rolled back: it waits until a person accepts it', async () => {
    await load(names(100));
    await load(names(110));
    await rollBackBlocklist(dir, NOW);
    for (const nearly of [names(111), names(109), `${names(109)}other.example\n`, names(105), names(115)]) {
      await expect(load(nearly)).rejects.toMatchObject({ key: 'blocklist.given_back' });
    }
    await load(names(100));
    await load(names(104));
    await expect(load(names(109))).rejects.toMatchObject(inDoubt('given_back', 109, 104));
    await acceptBlocklist(dir, NOW);
    await load(names(111));
  });

  test('a damaged list can be replaced by the former one', async () => {
    await load(names(100));
    await load(names(101));
    truncateSync(join(dir, 'list.idx'), 5000);
    await rollBackBlocklist(dir, NOW);
    expect(await statuses(['name-99.example'])).toEqual(['blocked']);
    await load(names(101));
  });

  test('five former lists are kept, however often the list changes', async () => {
    const loaded: string[] = [];
    for (let turn = 0; turn < 24; turn += 1) {
      loaded.push((await load(names(100, `turn-${turn}`), turn / 4)).list_version);
    }
    expect(readdirSync(dir).filter((name) => name.startsWith('former-'))).toHaveLength(5);
    const back: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) back.push(loaded.indexOf((await rollBackBlocklist(dir, NOW)).list_version));
    // The two lists before, and the last list of each of three days.
    expect(back).toEqual([22, 21, 20, 17, 13]);
  });
});
