import { useState } from 'react';
import { ApiError } from '../api.ts';
import { useT } from '../language.ts';

/** The initial values of a form, sent with an edit: it is refused as `stale` where somebody else has changed the same fields since. */
export interface Begun<Thing> {
  /** The base of changes. After a refusal it has the current values of the refused fields, so that saving again overwrites them. */
  begun: Thing;
  /** Returns the former values of changed fields, for the body of an edit. */
  wasOf: (changes: object) => { was: Record<string, unknown> };
  /** Returns an error as it is shown: a `stale` error has the current value at each of its fields. */
  explain: (error: unknown) => Promise<unknown>;
}

const pick = (thing: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(thing).filter(([name]) => names.includes(name)));

/**
 * Keeps the initial values of a form: `first` at its first rendering. `shown` puts the current value of a field into words, and `reread`
 * reads the thing anew where the refusal itself does not have enough for that.
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
