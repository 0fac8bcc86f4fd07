import { Button } from '@blueprintjs/core';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useFormats } from './language.ts';

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

/** Scrolls a line so that one of its parts stands in its middle; the page and the focus stay where they are. */
function toMiddle(line: Element, part: Element): void {
  const [outer, inner] = [line.getBoundingClientRect(), part.getBoundingClientRect()];
  line.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}

/** Brings the chosen tab into sight among its tabs, which scroll sideways on a phone. */
export function useTabInSight(tabs: string, chosen: string): void {
  useEffect(() => {
    const tab = document.getElementById(`bp6-tab-title_${tabs}_${chosen}`);
    if (tab?.parentElement) toMiddle(tab.parentElement, tab);
  }, [tabs, chosen]);
}

/**
 * Brings the pressed chip into sight among its chips, which scroll sideways on a phone. `known` is the number of chips that have their
 * count: they become wider by it.
 */
function useChipInSight(chosen: string, known: number): RefObject<HTMLFieldSetElement | null> {
  const chips = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const chip = chips.current?.querySelector('[aria-pressed="true"]');
    if (chips.current && chip) toMiddle(chips.current, chip);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another chip is pressed, or they are of another width
  }, [chosen, known]);
  return chips;
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
