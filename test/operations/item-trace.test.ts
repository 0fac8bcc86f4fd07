// The tries of items in a trace: each is a span of its own, with how it has ended.
import { afterEach, expect, test } from 'vitest';
import { useTracer, type Facts, type SpanAsked } from '../../src/lib/tracing/spans.ts';
import { away, refused, run, useLanes, work } from './lanes.ts';

useLanes();
afterEach(() => useTracer(undefined));

/** A span that has ended. */
interface Ended extends SpanAsked {
  facts: Facts;
  isFailed: boolean;
}

test('each try of an item is a part of the trace of its operation, and only one that has ended its item as failed is a failure', async () => {
  const spans: Ended[] = [];
  useTracer({
    run: async (asked, of) => {
      const span: Ended = { ...asked, facts: { ...asked.facts }, isFailed: false };
      const set = (facts: Facts): void => void Object.assign(span.facts, facts);
      const end = await of({ set, rename: () => undefined, fail: () => void (span.isFailed = true) });
      spans.push(span);
      return end;
    },
    current: () => null,
    stop: async () => undefined,
  });
  const errors = [away()];
  const perform = async (item: string): Promise<void> => {
    const error = item === 'one 2' ? refused() : errors.shift();
    if (error) throw error;
  };
  expect(await run(work(perform, { atOnce: 1 }), ['one 1', 'one 2'])).toBe('partial 2 1');
  const tries = spans
    .filter(({ name }) => name === 'item')
    .map(({ facts, ...span }) => [
      facts['seo_admin.outcome'],
      facts['seo_admin.state'],
      span.isFailed,
      span.partOnly,
      typeof facts['seo_admin.item'],
    ]);
  expect(tries.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
    ['failed', 'intent', false, true, 'number'],
    ['worked', 'done', false, true, 'number'],
    ['worked', 'failed', true, true, 'number'],
  ]);
});
