import { useState } from 'react';

/** What was typed in a field of a row and is not saved: the text, what of it is on its way, and why it was refused. */
export interface Typed {
  row: number;
  text: string;
  sent?: string | undefined;
  fault?: string | undefined;
}

/** What was typed in fields, by their labels. It outlives the fields themselves, which are drawn while their row is in view. */
export interface TypedFields {
  of: (label: string) => Typed | undefined;
  change: (label: string, next: (typed: Typed | undefined) => Typed | undefined) => void;
  /** The rows with a text that was refused. */
  refused: ReadonlySet<number>;
}

/** Keeps what was typed in the fields of a list. */
export function useTyped(): TypedFields {
  const [fields, setFields] = useState<ReadonlyMap<string, Typed>>(new Map());
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
