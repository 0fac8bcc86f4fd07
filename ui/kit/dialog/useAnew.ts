import { useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

let openings = 0;

type Asking<Data> = Required<Pick<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>> &
  Pick<UseQueryOptions<Data>, 'enabled' | 'retry' | 'placeholderData'>;

/**
 * Asks anew on each opening of the dialog that uses it, and never while it is open: what is confirmed or edited is what
 * was read. No answer is kept for the next opening, however soon that comes.
 */
export function useAnew<Data>({ queryKey, ...asking }: Asking<Data>): UseQueryResult<Data> {
  const [opening] = useState(() => ++openings);
  return useQuery<Data>({
    queryKey: [...queryKey, opening],
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    ...asking,
  });
}
