// The suite that every search source has to pass.
import { describe, expect } from 'vitest';
import type { Fields, SearchSource } from '../../../src/providers/provider.ts';
import { describeAny, describeCapabilities, type Any, type Candidate } from '../conformance.ts';

/** Hosts that the fake of a search source has in its index, and not. */
export interface Indexes {
  indexed: string;
  absent: string;
}

/** The suite of search sources. */
export function describeSearchSource<F extends Fields>(
  candidate: Candidate<SearchSource<F>, F>,
  { indexed, absent }: Indexes,
): void {
  const query = { engine: 'yandex', keyword: 'seo', region: '213', device: 'desktop' } as const;
  describe(`the search source ${candidate.provider.id}`, () => {
    describeAny(candidate as unknown as Candidate<Any, Fields>);
    describeCapabilities(candidate, {
      readBalance: {
        title: 'the balance is a decimal text with its currency',
        run: async ({ provider, login, call }) => {
          const { amount, currency } = await provider.readBalance(login, call());
          expect(amount).toMatch(/^-?\d+(\.\d+)?$/);
          expect(currency).toMatch(/^(?:[A-Z]{3}|limits)$/);
        },
      },
      readPrice: {
        title: 'the price of a thousand requests is a decimal text with its currency',
        run: async ({ provider, login, call }) => {
          expect((await provider.readPrice(login, 'google', call())).amount).toMatch(/^\d+(\.\d+)?$/);
        },
      },
      readPage: {
        title: 'pages follow each other without a common address, and the last one says so',
        run: async ({ provider, login, call }) => {
          const first = await provider.readPage(login, query, 0, call());
          const second = await provider.readPage(login, query, 1, call());
          expect(first.urls.filter((url) => !URL.canParse(url))).toEqual([]);
          expect(new Set([...first.urls, ...second.urls]).size).toBe(first.urls.length + second.urls.length);
          expect([first.isLast, (await provider.readPage(login, query, 99, call())).isLast]).toEqual([false, true]);
        },
      },
      isIndexed: {
        title: 'a host that is in the index is told from one that is not',
        run: async ({ provider, login, call }) => {
          expect(await provider.isIndexed(login, 'yandex', indexed, call())).toBe(true);
          expect(await provider.isIndexed(login, 'yandex', absent, call())).toBe(false);
        },
      },
      startIndexed: {
        title: 'a task about hosts is asked for until it is done, and tells of each engine that was asked',
        run: async ({ provider, login, call }) => {
          const hosts = [indexed, absent];
          const { id } = await provider.startIndexed(login, ['yandex'], hosts, call());
          const read = () => provider.readIndexed(login, ['yandex'], hosts, id, call());
          await expect.poll(read, { interval: 20 }).not.toBeNull();
          expect(await read()).toEqual([
            { yandex: true, google: null },
            { yandex: false, google: null },
          ]);
        },
      },
    });
  });
}
