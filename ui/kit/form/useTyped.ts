import { useState } from 'react';
import { useKept, useTyped as useDrafted } from './useDraft.ts';

/** The unsaved text of a field in a row; `sent` is the text that is being saved, `fault` the reason of a refusal. */
export interface Typed {
  row: number;
  text: string;
  sent?: string | undefined;
  fault?: string | undefined;
}

/** The unsaved texts of fields, by their labels. They outlive the fields themselves, which are drawn while their row is in view. */
export interface TypedFields {
  of: (label: string) => Typed | undefined;
  change: (label: string, next: (typed: Typed | undefined) => Typed | undefined) => void;
  /** The rows with a text that was refused. */
  refused: ReadonlySet<number>;
}

// Nothing is being saved where the form opens again.
const unsent = ([label, { row, text, fault }]: [string, Typed]): [string, Typed] => [label, { row, text, fault }];

/** Keeps the unsaved texts of the fields of a list, under a name where the session ends. */
export function useTyped(name: string): TypedFields {
  const before = useDrafted(name) as Record<string, Typed> | undefined;
  const [fields, setFields] = useState<ReadonlyMap<string, Typed>>(() => new Map(Object.entries(before ?? {})));
  useKept(name, () => (fields.size > 0 ? Object.fromEntries(Array.from(fields, unsent)) : undefined));
  return {
    of: (label) => fields.get(label),
    change: (label, next) =>
      setFields((before) => {
        const after = new Map(before);
        const typed = next(before.get(label));
        if (typed) after.set(label, typed);
        else after.delete(label);
        return after;
      }),
    refused: new Set(Array.from(fields.values()).flatMap(({ row, fault }) => (fault === undefined ? [] : [row]))),
  };
}
