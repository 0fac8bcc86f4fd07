// A plain list leaves out which of its names are masks: each blocks what is below it, too.
import { expect, test } from 'vitest';
import { checkBlocklistText } from '../../../../src/services/checks/blocklist-bulk.ts';
import { checkBlocklist, updateBlocklist } from '../../../../src/services/checks/blocklist.ts';
import { file, NOW, useLists, dir } from './lists.ts';

useLists();

const ASKED = ['mine.ru', 'shop.mine.ru', 'a.b.mine.ru', 'xmine.ru', 'own.com.ru', 'www.second.ru', 'second.ru'];
const LIST = 'mine.ru\ncom.ru\nwww.second.ru\n';

/** The verdicts on the asked names, asked one by one; expects that a text of them gets the same. */
async function verdicts(): Promise<string[]> {
  const found = await checkBlocklist(dir, ASKED, NOW);
  const text = await checkBlocklistText(dir, Buffer.from(`${ASKED.join('\n')}\n`), NOW);
  expect(JSON.parse(Buffer.concat([...(text?.itemsJson ?? [])]).toString())).toEqual(
    ASKED.map((domain, i) => Object.assign({ domain }, found[i])),
  );
  return found.map(({ status, reason, entry }, i) => [ASKED[i], status, reason, entry].filter(Boolean).join(' '));
}

test('a name of a plain list blocks what is below it, but not where it is a public suffix', async () => {
  await updateBlocklist(dir, { file: file(LIST), now: NOW });
  expect(await verdicts()).toEqual([
    'mine.ru blocked domain mine.ru',
    'shop.mine.ru blocked parent mine.ru',
    'a.b.mine.ru blocked parent mine.ru',
    'xmine.ru free',
    'own.com.ru free',
    'www.second.ru blocked domain www.second.ru',
    'second.ru free',
  ]);
});

test('in a list with masks a name blocks itself alone', async () => {
  await updateBlocklist(dir, { file: file(`${LIST}*.third.ru\n`), now: NOW });
  expect((await verdicts()).slice(0, 3)).toEqual([
    'mine.ru blocked domain mine.ru',
    'shop.mine.ru free',
    'a.b.mine.ru free',
  ]);
});

test('so it is in a dump, which tells its masks, though it may have none', async () => {
  await updateBlocklist(dir, { file: file('1.1.1.1;mine.ru;;;;\n', 'dump.csv'), now: NOW });
  expect((await verdicts()).slice(0, 2)).toEqual(['mine.ru blocked domain mine.ru', 'shop.mine.ru free']);
});
