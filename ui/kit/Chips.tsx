import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useFormats } from './language.ts';
import { useChipInSight } from './useInSight.ts';

export interface Chip<Value extends string> {
  value: Value;
  label: ReactNode;
  /** The number of rows that it would show, if known. */
  count?: number | undefined;
}

interface ChipsProps<Value extends string> {
  /** The name of the filter, for a screen reader. */
  label: string;
  chips: readonly Chip<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A filter of few values, of which exactly one is chosen. */
export function Chips<Value extends string>({ label, chips, value, onChange }: ChipsProps<Value>) {
  const formats = useFormats();
  const place = useChipInSight(value, chips.filter(({ count }) => count !== undefined).length);
  return (
    <fieldset ref={place} aria-label={label} className="chips">
      {chips.map((chip) => (
        <Button
          key={chip.value}
          size="small"
          variant="outlined"
          active={chip.value === value}
          aria-pressed={chip.value === value}
          onClick={() => onChange(chip.value)}
        >
          {chip.label}
          {chip.count !== undefined && <span className="chip-count">{formats.number(chip.count)}</span>}
        </Button>
      ))}
    </fieldset>
  );
}
