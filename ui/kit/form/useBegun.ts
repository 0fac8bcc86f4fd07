import { useState } from 'react';
import { ApiError } from '../api.ts';
import { useT } from '../language.ts';

/** What a form began with, of an edit that is refused (`stale`) where somebody else has changed the same fields meanwhile. */
export interface Begun<Thing> {
  /** What is changed is told by this; after a refusal it has what the refused fields hold now, so that saving again is meant. */
  begun: Thing;
  /** Returns what the body of an edit says of the fields that it changes: what they were. */
  wasOf: (changes: object) => { was: Record<string, unknown> };
  /** Returns an error as it is shown: one of stale fields says at each of them what is there now. */
  explain: (error: unknown) => Promise<unknown>;
}

const pick = (thing: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(thing).filter(([name]) => names.includes(name)));

/**
 * Keeps what a form began with: `first` at its first rendering. `shown` puts what a field holds now into words, and `reread` reads the
 * thing anew where the refusal itself does not tell enough for that.
 */
export function useBegun<Thing extends object>(
  first: Thing,
  shown: (now: Thing, field: string) => string,
  reread?: () => Promise<Thing>,
): Begun<Thing> {
  const t = useT();
  const [begun, setBegun] = useState(first);
  return {
    begun,
    wasOf: (changes) => ({ was: pick(begun, Object.keys(changes)) }),
    explain: async (error) => {
      if (!(error instanceof ApiError) || error.code !== 'stale') return error;
      const names = Object.keys(error.fields);
      const now = reread ? await reread() : { ...begun, ...(error.body as { now?: Partial<Thing> }).now };
      setBegun({ ...begun, ...pick(now, names) });
      const fields = names.map((name) => [name, t('ui.stale_field', { value: shown(now, name) || '–' })]);
      return new ApiError(
        error.status,
        error.code,
        error.message,
        Object.fromEntries(fields) as Record<string, string>,
      );
    },
  };
}
