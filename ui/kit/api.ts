import { keepPreviousData, notifyManager, QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call, pauseAfter, type AnswerOf, type Call, type Input } from './call.ts';

export { ApiError, call, messageOf, openStream, upload } from './call.ts';
export type { AnswerOf, Call, Input };

// A change of the cache is drawn before the next press: by default a timer draws it, and on a slow page a choice was made
// from what had been there before the last one.
notifyManager.setScheduler(queueMicrotask);

/**
 * The cache of reading calls, shared by all components. Errors are not retried, except a lost connection (once) and a
 * busy server (after its `Retry-After`, for some seconds), so that a short outage is not shown.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => pauseAfter(count, error) !== undefined,
      retryDelay: (count, error) => pauseAfter(count, error) ?? 0,
    },
  },
});

/** Makes a reading call as a query. Its key is `[call, input]`, so that `refresh` finds it by the call's name. */
export const useCall = <C extends Call>(
  name: C,
  input: Pick<Input, 'params' | 'query'> = {},
  options: {
    enabled?: boolean;
    keep?: boolean;
    /** Asks on each opening, however new the answer at hand is. */
    anew?: boolean;
    /** Asks only after this. */
    after?: () => Promise<void>;
    refetchInterval?: (data: AnswerOf<C> | undefined) => number | false;
  } = {},
): UseQueryResult<AnswerOf<C>> =>
  useQuery<AnswerOf<C>>({
    queryKey: [name, input],
    queryFn: async ({ signal }) => {
      await options.after?.();
      return call(name, { ...input, signal });
    },
    enabled: options.enabled ?? true,
    ...(options.anew && { refetchOnMount: 'always' as const }),
    ...(options.keep && { placeholderData: keepPreviousData }),
    ...(options.refetchInterval && {
      refetchInterval: (query) => options.refetchInterval?.(query.state.data) ?? false,
    }),
  });

/** Reads ahead what a page will ask for by `useCall` with the same input, which then waits for this call; a failure is the page's to tell. */
export const readAhead = (name: Call, input: Pick<Input, 'params' | 'query'>): Promise<void> =>
  queries.prefetchQuery({ queryKey: [name, input], queryFn: ({ signal }) => call(name, { ...input, signal }) });

/** Refetches all queries of the given calls. */
export const refresh = async (...names: Call[]): Promise<void> => {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
};
