// Arsenkin Tools as the demo has it, with a token that it takes.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startArsenkin, type ArsenkinFake } from '../../../src/demo/search/arsenkin.ts';
import type { Call } from '../../../src/providers/provider.ts';

export const login = { token: 'token-of-a-test-4711' };
const PACE = { calls: 1_000, seconds: 1, atOnce: 4 };

export let fake: ArsenkinFake;

/** Starts the service before the tests of a file. */
export function useArsenkin(): void {
  beforeAll(async () => {
    const web = { topics: {}, hosts: { 'astro-mir.ru': { topic: 'a', from: null, until: null } } };
    fake = await startArsenkin({ tokens: {}, web });
  });
  beforeEach(() => {
    fake.state.tokens = { [login.token]: 100 };
    fake.faults.length = 0;
    fake.tasks.length = 0;
  });
  afterAll(() => fake.close());
}

export const call = (): Call => ({ url: fake.url, pace: PACE });
