import { InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '../icons.tsx';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../useKeys.ts';

const PAUSE_MS = 200;

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The slash key focuses this field; at most one per screen. */
  slash?: boolean;
}

/** A search field that reports after a pause in typing, not on every key. */
export function SearchField({ label, value, onChange, slash = false }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  useKeys(slash ? { Slash: () => field.current?.focus() } : {});
  useEffect(() => {
    // Changed from outside, as by Back: replaces the typed text.
    if (value === reported.current) return;
    reported.current = value;
    clearTimeout(timer.current);
    setTyped(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onType = (next: string): void => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      reported.current = next.trim();
      onChange(reported.current);
    }, PAUSE_MS);
  };
  return (
    <InputGroup
      type="search"
      inputRef={field}
      className="search-field"
      leftIcon={<SearchIcon />}
      aria-label={label}
      placeholder={label}
      value={typed}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onType(event.target.value)}
    />
  );
}
