// The results of Arsenkin's tasks in every form in which clients have seen them: verdicts of an index, and lists of addresses.
import { describe, expect, test } from 'vitest';
import { arsenkin } from '../../../src/providers/search/arsenkin.ts';
import { call, fake, login, useArsenkin } from './arsenkin-world.ts';

useArsenkin();

/** Has the next task answer with a result. */
function answerWith(result: unknown): void {
  const body = (answer: object) => JSON.stringify(answer);
  fake.faults.push(
    { path: '/check', kind: 'body', body: body({ code: 'TASK_STATUS', status: 'finish' }), times: 1 },
    { path: '/get', kind: 'body', body: body({ code: 'TASK_RESULT', task_id: '1', result }), times: 1 },
  );
}

describe('verdicts', () => {
  const hosts = ['a.example', 'b.example', 'c.example', 'xn--c1aolabgdj7g.xn--p1ai'];
  const IDN = 'https://гороскопы.рф/';

  test.each([
    [{ 'https://a.example/': 'да', 'b.example': '-', [IDN]: true }],
    [
      [
        { url: 'http://www.a.example', indexed: '1' },
        { url: 'B.example.', status: 0 },
        { url: IDN, value: ' Yes ' },
      ],
    ],
    [
      {
        0: { url: 'https://a.example/', index: true },
        1: { url: 'https://b.example/', index: 'нет' },
        2: { url: IDN, result: '+' },
      },
    ],
  ])('in the form %j are read', async (y) => {
    answerWith({ y });
    const read = await arsenkin.readIndexed(login, ['yandex', 'google'], hosts, '1', call());
    expect(read?.map(({ yandex }) => yandex)).toEqual([true, false, null, true]);
    expect(read?.map(({ google }) => google)).toEqual([null, null, null, null]);
  });

  test.each([null, 'no', 17, [], {}, { y: null }, { y: 'да' }, { y: { 0: { url: 'https://a.example/', index: {} } } }])(
    'that are not understood, as %j, are unknown and never "no"',
    async (result) => {
      answerWith(result);
      const read = await arsenkin.readIndexed(login, ['yandex'], ['a.example'], '1', call());
      expect(read).toEqual([{ yandex: null, google: null }]);
    },
  );

  test.each([
    [{ 'https://a.example/': 0, 'https://www.a.example/': 1 }, true],
    [{ 'https://a.example/': 1, 'https://www.a.example/': 0 }, true],
    [{ 'https://a.example/': 1, 'https://www.a.example/': '?' }, true],
    [{ 'https://a.example/': 0, 'https://www.a.example/': '?' }, false],
    [{ 'https://a.example/': '?', 'https://www.a.example/': 0 }, false],
    [{ 'https://a.example/': '?', 'https://www.a.example/': '?' }, null],
  ])('of two addresses of a host, %j, are %s', async (y, verdict) => {
    answerWith({ y });
    const read = await arsenkin.readIndexed(login, ['yandex'], ['a.example'], '1', call());
    expect(read).toEqual([{ yandex: verdict, google: null }]);
  });

  test('of an engine that was not asked are not read', async () => {
    answerWith({ y: { 'a.example': 1 }, g: { 'a.example': 1 } });
    const read = await arsenkin.readIndexed(login, ['google'], ['a.example'], '1', call());
    expect(read).toEqual([{ yandex: null, google: true }]);
  });
});

describe('result lists', () => {
  const task = { engine: 'yandex', region: '213', device: 'desktop', keywords: ['one', 'two'], depth: 50 } as const;
  const one = ['https://a.example/', '//B.example/x', 'javascript:alert(1)'];
  const two = ['https://c.example/'];
  const read = [['https://a.example/', 'https://b.example/x', ''], ['https://c.example/']];

  test.each([
    ['by engine and keyword', { result: { collect: [[one, two]], snippets: {} } }],
    ['by keyword and engine', { result: { collect: [[one], [two]] } }],
    ['by keyword', { result: { collect: [one, two] } }],
    ['by the text of a keyword', { result: { collect: { two, one } } }],
    ['as objects of numbers', { collect: { 0: { 0: one, 1: two } } }],
    ['as objects with addresses', { result: { collect: [[one.map((url) => ({ url })), two]] } }],
  ])('%s are read', async (_form, result) => {
    answerWith(result);
    expect(await arsenkin.readResults(login, task, '1', call())).toEqual(read);
  });

  test.each([
    ['one too few', { result: { collect: [[one]] } }],
    ['one too many', { result: { collect: [one, two, one] } }],
    ['numbers', { result: { collect: [[[1], [2]]] } }],
    ['nothing', null],
    ['empty', { result: { collect: [[[], []]] } }],
    [
      'of two engines',
      {
        result: {
          collect: [
            [one, two],
            [one, two],
            [one, two],
          ],
        },
      },
    ],
    ['by numbers with a gap', { collect: { 0: one, 2: two } }],
    [
      'of addresses by numbers with a gap',
      {
        collect: [
          [
            { 0: one[0], 2: one[1] },
            { 1: two[0], 3: two[0] },
          ],
        ],
      },
    ],
    ['of an address beside a list', { collect: [['https://a.example/', two]] }],
    ['of addresses and nothing', { collect: [[[one[0], null], [{}]]] }],
  ])('with %s are unknown', async (_form, result) => {
    answerWith(result);
    expect(await arsenkin.readResults(login, task, '1', call())).toEqual([null, null]);
  });

  test('of a single keyword are told from those of a single engine', async () => {
    for (const collect of [[[one]], [one]]) {
      answerWith({ result: { collect } });
      const single = { ...task, keywords: ['one'] };
      expect(await arsenkin.readResults(login, single, '1', call())).toEqual([read[0]]);
    }
  });

  test('keyed by keywords that are numbers are of those keywords, or unknown', async () => {
    const numbers = { ...task, keywords: ['2026', '1999'] };
    answerWith({ collect: { 2026: one, 1999: two } });
    expect(await arsenkin.readResults(login, numbers, '1', call())).toEqual(read);
    answerWith({ collect: { 1: two, 2: one } });
    expect(await arsenkin.readResults(login, { ...task, keywords: ['2', '1'] }, '1', call())).toEqual([null, null]);
    answerWith({ collect: { 1: two, 2: one } });
    expect(await arsenkin.readResults(login, { ...task, keywords: ['word', '1'] }, '1', call())).toEqual([null, null]);
  });

  test.each([
    ['by engine and keyword', [[one, [], two]]],
    ['by keyword and engine', [[one], [], [two]]],
    ['by keyword', [one, null, two]],
    ['as objects of numbers from 1', { 1: { 1: one }, 2: {}, 3: { 1: two } }],
  ])('%s of which one is empty leave that keyword unknown, and no other', async (_form, collect) => {
    answerWith({ result: { collect } });
    const three = { ...task, keywords: ['one', 'none', 'two'] };
    expect(await arsenkin.readResults(login, three, '1', call())).toEqual([read[0], null, read[1]]);
  });

  test('of one address are told from lists of lists', async () => {
    const pair = { ...task, keywords: ['one', 'two'] };
    for (const collect of [[[two, two]], [[two], [two]], [two, two]]) {
      answerWith({ result: { collect } });
      expect(await arsenkin.readResults(login, pair, '1', call())).toEqual([read[1], read[1]]);
    }
  });

  test('are not longer than was asked, though the service has few depths', async () => {
    const short = { ...task, depth: 12 };
    const { id } = await arsenkin.startResults(login, short, call());
    expect(fake.tasks[0]).toMatchObject({ tool: 'check-top', data: { depth: 30, se: [{ type: 2, region: 213 }] } });
    await arsenkin.readResults(login, short, id, call());
    const lists = await arsenkin.readResults(login, short, id, call());
    expect(lists?.map((urls) => urls?.length)).toEqual([12, 12]);
  });
});
