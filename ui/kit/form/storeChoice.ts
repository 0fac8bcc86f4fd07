import { queries, refresh, type AnswerOf, type Call, type Input } from '../api.ts';
import { toastFailure } from '../toasts.tsx';
import { inTurn } from './inTurn.ts';

/** A choice that is stored when it is made. */
interface Choice<C extends Call> {
  /** The reading call on whose answer the page rests, read with `allSent` before it, and its input. */
  read: C;
  input?: Pick<Input, 'params' | 'query'>;
  /** Returns the answer with the choice in it; undefined: there is none yet. */
  shown: (now: AnswerOf<C> | undefined) => AnswerOf<C> | undefined;
  /** Makes the storing call, with `keepalive`. */
  store: () => Promise<unknown>;
  /** The heading of the toast where it fails. */
  failed: string;
}

/**
 * Shows a choice at once, so that the next one is made from it, and stores it after those of before. A failure is told, and what is stored is
 * read again. Returns whether it was stored.
 */
export async function storeChoice<C extends Call>({
  read,
  input = {},
  shown,
  store,
  failed,
}: Choice<C>): Promise<boolean> {
  const queryKey = [read, input];
  // An answer to what was asked before must not undo it.
  void queries.cancelQueries({ queryKey });
  queries.setQueryData<AnswerOf<C>>(queryKey, shown);
  try {
    await inTurn(store);
    return true;
  } catch (error) {
    toastFailure(failed, error);
    await refresh(read);
    return false;
  }
}
