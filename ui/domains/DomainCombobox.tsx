import { useCombobox } from 'downshift';
import { useEffect, useState, type ReactNode, type Ref } from 'react';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { useCall } from '../kit/api.ts';
import { ComboboxField } from '../kit/form/ComboboxField.tsx';
import { Suggestions } from '../kit/form/Suggestions.tsx';
import { Failed } from '../kit/table/DataTable.tsx';

const PAUSE_MS = 200;
const SHOWN = 20;

interface DomainComboboxProps {
  label: ReactNode;
  value: string;
  onChange: (value: string) => void;
  help: ReactNode;
  error?: string | undefined;
  inputRef: Ref<HTMLInputElement>;
}

/** Returns the value after a pause in typing (debounced). */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

/** A field for any domain, with suggestions from the portfolio. */
export function DomainCombobox({ label, value, onChange, help, error, inputRef }: DomainComboboxProps) {
  const search = usePaused(value.trim());
  const query = { limit: SHOWN, sort: 'domain_name', search: search || undefined };
  const { data, error: failure, refetch } = useCall('GET /api/domains', { query }, { keep: true });
  const items = data?.data ?? [];
  const box = useCombobox<DomainView>({
    items,
    inputValue: value,
    selectedItem: null,
    itemToString: (item) => item?.unicode_name ?? '',
    onSelectedItemChange: ({ selectedItem }) => onChange(selectedItem?.unicode_name ?? ''),
    // Esc or leaving the field keeps the typed text: downshift would clear it, or select the highlighted suggestion.
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.InputBlur || type === useCombobox.stateChangeTypes.InputKeyDownEscape
        ? { ...state, isOpen: false, highlightedIndex: -1 }
        : changes,
  });
  const field = box.getInputProps({
    ref: inputRef,
    onChange: (event) => onChange(event.currentTarget.value),
  });
  const input = { ...field, autoCapitalize: 'none', spellCheck: false };
  return (
    <>
      <ComboboxField box={box} label={label} help={help} error={error} input={input}>
        <Suggestions box={box} items={items} text={({ unicode_name }) => unicode_name} hideEmpty translate="no" />
      </ComboboxField>
      {failure && <Failed sentence="list.failed" reason={failure.message} retry={() => void refetch()} />}
    </>
  );
}
