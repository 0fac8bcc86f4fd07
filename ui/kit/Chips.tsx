import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useFormats } from './language.ts';

export interface Chip<Value extends string> {
  value: Value;
  label: ReactNode;
  /** How many rows it would show, where that is known. */
  count?: number | undefined;
}

interface ChipsProps<Value extends string> {
  /** What is filtered, for a screen reader. */
  label: string;
  chips: readonly Chip<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A filter of few values, one of which is always chosen. */
export function Chips<Value extends string>({ label, chips, value, onChange }: ChipsProps<Value>) {
  const formats = useFormats();
  return (
    <fieldset aria-label={label} className="chips">
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
