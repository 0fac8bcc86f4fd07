import { Classes, InputGroup } from '@blueprintjs/core';
import { useCombobox } from 'downshift';
import { useEffect, useId, useState, type ReactNode, type Ref } from 'react';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { useCall } from '../kit/api.ts';
import { Suggestions, SuggestionsToggle } from '../kit/form/Suggestions.tsx';
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
  const helpId = useId();
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
  const { ref, ...input } = box.getInputProps({
    ref: inputRef,
    'aria-invalid': error !== undefined,
    'aria-describedby': helpId,
    onChange: (event) => onChange(event.currentTarget.value),
  });
  return (
    <div className={`${Classes.FORM_GROUP} ${error === undefined ? '' : Classes.INTENT_DANGER} combobox`}>
      <label className={Classes.LABEL} {...box.getLabelProps()}>
        {label}
      </label>
      <InputGroup
        fill
        {...input}
        inputRef={ref}
        autoCapitalize="none"
        spellCheck={false}
        intent={error === undefined ? 'none' : 'danger'}
        rightElement={<SuggestionsToggle box={box} />}
      />
      <Suggestions box={box} items={items} text={({ unicode_name }) => unicode_name} hideEmpty translate="no" />
      <div className={Classes.FORM_HELPER_TEXT} id={helpId}>
        {error ?? help}
      </div>
      {failure && <Failed sentence="list.failed" reason={failure.message} retry={() => void refetch()} />}
    </div>
  );
}
