// Arsenkin Tools over real HTTP, at the fake of the demo: tasks, their states, and a token that stays out of messages.
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { arsenkin } from '../../../src/providers/search/arsenkin.ts';
import { call, fake, login, useArsenkin } from './arsenkin-world.ts';
import { describeSearchSource } from './conformance.ts';

useArsenkin();

describeSearchSource({ provider: arsenkin, login, call }, { indexed: 'astro-mir.ru', absent: 'nobody.example' });

const failureOf = async (work: Promise<unknown>): Promise<ProviderError> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
};

const start = () => arsenkin.startIndexed(login, ['google'], ['a.example'], call());

describe('the start of a task', () => {
  test('limits that do not suffice are no money', async () => {
    fake.state.tokens[login.token] = 1;
    expect(await failureOf(start())).toMatchObject({ kind: 'refused', reason: 'no_money' });
    expect(fake.tasks).toEqual([]);
  });

  test('whose answer is lost is not sent again, and is not said to be unsent', async () => {
    fake.faults.push({ path: '/set', kind: 'lost', times: 1 });
    expect(await failureOf(start())).toMatchObject({ kind: 'unavailable', unsent: false });
    expect(fake.tasks).toHaveLength(1);
  });

  test.each([
    [401, '<h1>no</h1>', 'credentials', undefined],
    [403, '{"status":"Error"}', 'credentials', undefined],
    [404, '{"code":"WRONG_TOOL","error":"Wrong tool"}', 'refused', undefined],
    [422, '{"code":"JSON_VALIDATION_ERROR","error":"limit of characters"}', 'refused', undefined],
    [200, '{"status":"Error","code":"429","error":"Too Many Requests"}', 'rate_limited', undefined],
    [200, '{"status":"Error","error":"Недостаточно лимитов"}', 'refused', 'no_money'],
    [200, '{"status":"Error","error":"Превышен лимит запросов в минуту"}', 'rate_limited', undefined],
    [200, '{"status":"Error","error":"Лимит: не более 5 одновременных задач"}', 'rate_limited', undefined],
    [429, '{"status":"Error","code":"429","error":"Too Many Requests"}', 'rate_limited', undefined],
    [402, '{"status":"Error","error":"Слишком много"}', 'refused', 'no_money'],
    [500, '{}', 'unavailable', undefined],
    [200, '<html>', 'malformed', undefined],
    [200, '{"code":"SET_TASK_OK"}', 'malformed', undefined],
    [200, '{"code":"SET_TASK_OK","task_id":""}', 'malformed', undefined],
  ])('with the status %i and %s is %s', async (status, body, kind, reason) => {
    fake.faults.push({ path: '/set', kind: 'body', status, body, times: 1 });
    // A refusal by the number of calls stops the queue of the token: each case has one of its own.
    const token = `${login.token}-${status}-${body.length}`;
    const work = arsenkin.startIndexed({ token }, ['google'], ['a.example'], call());
    expect(await failureOf(work)).toMatchObject({ kind, reason });
  });

  test('a number of a task is text, however it is written', async () => {
    for (const body of ['{"code":"SET_TASK_OK","task_id":3944}', '{"code":"SET_TASK_OK","task_id":"3944"}']) {
      fake.faults.push({ path: '/set', kind: 'body', body, times: 1 });
      expect(await start()).toMatchObject({ id: '3944' });
    }
  });
});

describe('the state of a task', () => {
  const read = () => arsenkin.readIndexed(login, ['google'], ['a.example'], '1', call());
  const checked = (answer: object): void =>
    void fake.faults.push({ path: '/check', kind: 'body', body: JSON.stringify(answer), times: 1 });

  test.each(['queue', 'waiting', 'process', 'something new'])('%s means that it runs', async (status) => {
    checked({ code: 'TASK_STATUS', status, progress: '50%' });
    expect(await read()).toBeNull();
  });

  test.each([{}, { status: '' }, { status: null }, { progress: 0 }, { status: 'queue', progress: '0%' }])(
    'as %j means that it runs',
    async (state) => {
      checked({ code: 'TASK_STATUS', ...state });
      expect(await read()).toBeNull();
    },
  );

  test.each([{}, { code: 'OTHER' }, { result: [] }])('as %j is malformed', async (state) => {
    checked(state);
    expect(await failureOf(read())).toMatchObject({ kind: 'malformed' });
  });

  test.each(['error', 'failed', 'Cancelled', 'canceled'])('%s is a refusal', async (status) => {
    checked({ code: 'TASK_STATUS', status });
    expect(await failureOf(read())).toMatchObject({ kind: 'refused' });
  });

  test('a result that is not there yet is waited for; none at all is malformed', async () => {
    const finish = { code: 'TASK_STATUS', status: 'finish' };
    checked(finish);
    fake.faults.push({
      path: '/get',
      kind: 'body',
      status: 404,
      body: '{"code":"RESULT_ERROR","error":"no"}',
      times: 1,
    });
    expect(await read()).toBeNull();
    checked(finish);
    fake.faults.push({ path: '/get', kind: 'body', body: '{"code":"TASK_RESULT"}', times: 1 });
    expect(await failureOf(read())).toMatchObject({ kind: 'malformed' });
  });
});

describe('the token', () => {
  test('stands in no error, though the service repeats it', async () => {
    const body = JSON.stringify({ status: 'Error', error: `token ${login.token} is blocked` });
    fake.faults.push({ path: '/info', kind: 'body', body, times: 1 });
    const { message, cause, stack } = await failureOf(arsenkin.testLogin(login, call()));
    expect(JSON.stringify([message, String(cause), stack])).not.toContain(login.token);
  });

  test.each(['ключ-4711-secret', 'two words-4711', 'line\nbreak-4711', ''])(
    '%j can be no token: it is refused unsent, and not repeated',
    async (token) => {
      const error = await failureOf(arsenkin.testLogin({ token }, call()));
      expect(error).toMatchObject({ kind: 'credentials', unsent: true });
      expect(error.message).not.toContain('4711');
    },
  );
});
