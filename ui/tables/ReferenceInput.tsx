import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCombobox } from 'downshift';
import { useState } from 'react';
import { useT } from '../kit/language.ts';
import { MOST_SUGGESTIONS, Suggestions } from '../kit/form/Suggestions.tsx';
import type { CellInputProps } from './CellEditor.tsx';
import { nameOf, partOf } from './parts.ts';

interface Choice {
  id: string;
  name: string;
}

const NONE: Choice = { id: '', name: '–' };

/** Asks the server for the rows of a table that hold a text. */
const choicesOf = (table: string, typed: string) => {
  const search = typed.trim().replace(/^#/, '');
  return queryOptions({
    queryKey: ['GET /api/tables/:table', { table, choices: search }],
    queryFn: async ({ signal }) => {
      const { data } = await partOf(table, { limit: MOST_SUGGESTIONS, search: search || undefined }, signal);
      return data.map((row): Choice => ({ id: String(row.id), name: nameOf(row) }));
    },
  });
};

/** Returns rows of a table that hold a text. Until the server answers they are those of an earlier text (`isOld`). */
function useFound(table: string, typed: string): { found: Choice[]; isOld: boolean } {
  const { data, isPlaceholderData } = useQuery({ ...choicesOf(table, typed), placeholderData: keepPreviousData });
  return { found: data ?? [], isOld: isPlaceholderData };
}

/**
 * Chooses a row of another table by a part of its name or its number; an empty text means none. Enter that is pressed
 * before the server has answered takes the first line of its answer.
 */
export function ReferenceInput({ table, value, onChange, field }: CellInputProps & { table: string }) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const client = useQueryClient();
  const { found, isOld } = useFound(table, typed);
  const items = typed.trim() === '' ? [NONE, ...found] : found;
  const takeFirst = async (input: HTMLInputElement): Promise<void> => {
    const [first] = await client.fetchQuery(choicesOf(table, typed)).catch(() => []);
    if (first !== undefined && input.isConnected && input.value === typed) onChange(first.id, true);
  };
  const { readOnly, onKeyDown, ...props } = field;
  const box = useCombobox<Choice>({
    items,
    selectedItem: null,
    inputValue: typed,
    initialIsOpen: true,
    defaultHighlightedIndex: 0,
    itemToString: (item) => item?.name ?? '',
    stateReducer: (state, { type, changes }) => (type === useCombobox.stateChangeTypes.InputBlur ? state : changes),
    onSelectedItemChange: ({ selectedItem }) => onChange(selectedItem?.id ?? '', true),
  });
  const { ref, ...input } = box.getInputProps({
    ...props,
    // The name is that of the column: the list has no label of its own.
    'aria-labelledby': undefined,
    onChange: (event) => setTyped(event.currentTarget.value),
    onKeyDown: (event) => {
      // A line of an earlier text is not what is meant.
      if (event.key === 'Enter' && isOld && typed.trim() !== '') {
        event.preventDefault();
        event.stopPropagation();
        Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
        void takeFirst(event.currentTarget);
        return;
      }
      // Enter takes the line that is marked; Esc leaves at once.
      if (event.key === 'Enter' && box.isOpen && items[box.highlightedIndex]) return;
      onKeyDown(event);
    },
  });
  return (
    <div className="combobox">
      <input
        {...input}
        ref={ref}
        className="bp6-input"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field stands where the focus was
        autoFocus
        readOnly={readOnly}
        autoComplete="off"
        placeholder={value === '' ? t('tables.find_reference') : `#${value}`}
      />
      <Suggestions box={box} items={items} text={({ name }) => name} />
    </div>
  );
}
