// Acts whose calls stand in the line of a service's limit as the work is cancelled: they are dropped there, and nothing else is.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { confirmSending, lineWork, NotSent, withConfirm, type LineWork } from '../../src/lib/outgoing/line.ts';
import { cancelOperation } from '../../src/operations/queue.ts';
import { LeftAlone, Waiting } from '../../src/operations/waiting.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { AppError } from '../../src/shared/errors.ts';
import { make, played, run, stored, useActs, work } from './acts.ts';

useActs();

const CANCELLED = { state: 'cancelled', error: null };

/** A call in the line, as which the work is cancelled. */
async function stand(): Promise<void> {
  const line = lineWork();
  await cancelOperation(played.id);
  if (!line) return;
  if (!line.dropped.aborted) await once(line.dropped, 'abort');
  throw new NotSent(line.sent === 0);
}

/** A call that gets no answer the first time; `then` is done from the second time on. */
function unanswered(then: () => unknown): () => unknown {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === 1) throw new ProviderError('unavailable', 'away');
    return then();
  };
}

test('a look that is dropped in the line ends the item, with nothing begun', async () => {
  played.beside['look one'] = stand;
  expect(await run(work([make('one')]))).toEqual({ ...CANCELLED, acts: [] });
  expect(played.calls).toEqual(['look one']);
});

test('an act of which nothing was sent was never begun, and what is kept of it is told so', async () => {
  played.beside['make two'] = stand;
  expect(await run(work([make('one'), make('two')]))).toEqual({ ...CANCELLED, acts: ['one done'] });
  expect(played.calls.slice(3)).toEqual(['look two', 'keep two true', 'make two', 'keep two false']);
  expect(await stored()).toMatchObject({ in_doubt: 0, touched: 1 });
  played.calls.length = 0;
  played.beside['make one'] = stand;
  played.there.clear();
  expect(await run(work([make('one')]))).toEqual({ ...CANCELLED, acts: [] });
  expect(played.calls).toEqual(['look one', 'keep one true', 'make one', 'keep one false']);
});

test('an act of which a call was sent before another one was dropped is looked up', async () => {
  played.beside['make one'] = async () => {
    lineWork()!.sent += 1;
    await stand();
  };
  played.beside['look one'] = () => played.calls.length > 1 && played.there.add('one');
  expect(await run(work([make('one')]))).toEqual({ state: 'done', acts: ['one done'], error: null });
  expect(played.calls).toEqual(['look one', 'keep one true', 'make one', 'look one']);
});

test('an act of an earlier try is looked up where its own call was not sent', async () => {
  played.beside['make one'] = unanswered(stand);
  expect(await run(work([make('one')]))).toEqual({ ...CANCELLED, acts: [] });
  const begun = ['look one', 'keep one true', 'make one'];
  expect(played.calls).toEqual([...begun, ...begun, 'look one', 'keep one false']);
});

test.each([
  ['that may never be repeated', make('one', 'unsafe')],
  ['that tells how others have ended', make('one', 'set', { tellsEnd: true })],
])('an act %s waits for its turn', async (_which, act) => {
  const lines: (LineWork | undefined)[] = [];
  const line = (): unknown => lines.push(lineWork());
  Object.assign(played.beside, { 'look one': line, 'make one': line });
  expect(await run(work([act]))).toMatchObject({ state: 'done' });
  expect(lines).toEqual([undefined, undefined]);
});

test('another act is dropped from the line of its look and of its making', async () => {
  const lines: boolean[] = [];
  const line = (): unknown => lines.push(lineWork() !== undefined);
  Object.assign(played.beside, { 'look one': line, 'make one': line });
  await run(work([make('one')]));
  expect(lines).toEqual([true, true]);
});

test('an act that is left to another operation ends as wanted', async () => {
  played.beside['make one'] = () => {
    throw new LeftAlone();
  };
  expect(await run(work([make('one')]))).toEqual({ state: 'noop', acts: ['one noop'], error: null });
});

test('a failure after a wait ends the wait', async () => {
  const waits = [1];
  played.beside['look one'] = () => {
    if (waits.pop()) throw new Waiting(() => ({ key: 'operation.not_begun' }), { everyMs: 1, limitMs: 600_000 });
  };
  played.beside['make one'] = () => {
    throw new ProviderError('refused', 'no');
  };
  expect(await run(work([make('one')]))).toMatchObject({ state: 'failed' });
  expect((await stored()).waiting).toBeNull();
});

test('whether the acts are void is asked of the first of them alone', async () => {
  const asked: string[] = [];
  const act = (name: string) => make(name, 'set', { isVoid: async () => asked.push(name) === 0 });
  played.beside['make one'] = unanswered(() => undefined);
  expect(await run(work([act('one'), act('two')]))).toMatchObject({ state: 'done' });
  expect(asked).toEqual(['one']);
});

const lost = (): Promise<never> => Promise.reject(new AppError('not_found', 'zone.not_yours', { zone: 'a' }));

test('an act whose first call may not be sent any more was never begun, and its item fails for that reason', async () => {
  played.beside['make two'] = () => withConfirm(lost, confirmSending);
  const LOST = { state: 'failed', error: 'zone.not_yours' };
  expect(await run(work([make('one'), make('two')]))).toEqual({ ...LOST, acts: ['one done'] });
  expect(played.calls.slice(3)).toEqual(['look two', 'keep two true', 'make two', 'keep two false']);
  expect(await stored()).toMatchObject({ in_doubt: 0, touched: 1 });
});

test('an act whose second call may not be sent any more stays in doubt', async () => {
  const answers = [async () => undefined, lost];
  const calls = async () => {
    await confirmSending();
    await confirmSending();
  };
  played.beside['make one'] = () => withConfirm(() => answers.shift()!(), calls);
  expect(await run(work([make('one')]))).toEqual({ state: 'failed', error: 'zone.not_yours', acts: ['one intent'] });
});

test('a call is sent once the work and that around it may send it', async () => {
  const asked: string[] = [];
  const ask = (name: string) => async () => void asked.push(name);
  await withConfirm(ask('outer'), () => withConfirm(ask('inner'), confirmSending));
  await confirmSending();
  expect(asked).toEqual(['outer', 'inner']);
});
