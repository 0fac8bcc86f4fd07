import { Button, Classes, InputGroup, Tag } from '@blueprintjs/core';
import { CrossIcon } from '../icons.tsx';
import { useCombobox } from 'downshift';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useT } from '../language.ts';
import { T } from '../T.tsx';
import './MultiCombobox.css';

interface Item {
  id: number;
  name: string;
}

interface MultiComboboxProps {
  label: ReactNode;
  items: readonly Item[];
  ids: readonly number[];
  onChange: (ids: number[]) => void;
  error?: string | undefined;
}

// Nobody reads a longer list: people type to filter it.
const SHOWN = 50;

function Chosen({ items, onRemove }: { items: readonly Item[]; onRemove: (id: number) => void }) {
  const t = useT();
  return (
    <ul className="tag-list">
      {items.map(({ id, name }) => (
        <li key={id}>
          <Tag minimal>{name}</Tag>
          <Button
            variant="minimal"
            size="small"
            icon={<CrossIcon />}
            aria-label={t('sites.action_on', { action: t('ui.take_out'), name })}
            onClick={() => onRemove(id)}
          />
        </li>
      ))}
    </ul>
  );
}

/**
 * Several choices from a filterable list. The chosen items are tags above the field; Backspace in the empty field
 * removes the last one.
 */
export function MultiCombobox({ label, items, ids, onChange, error }: MultiComboboxProps) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const chosen = ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
  const wanted = typed.trim().toLowerCase();
  const matching = items.filter(({ id, name }) => !ids.includes(id) && name.toLowerCase().includes(wanted));
  const found = matching.slice(0, SHOWN);
  const box = useCombobox<Item>({
    items: found,
    inputValue: typed,
    selectedItem: null,
    itemToString: (item) => item?.name ?? '',
    onInputValueChange: ({ inputValue, type }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) setTyped(inputValue);
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (!selectedItem) return;
      onChange([...ids, selectedItem.id]);
      setTyped('');
    },
    // The list stays open for the next choice.
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.ItemClick || type === useCombobox.stateChangeTypes.InputKeyDownEnter
        ? { ...changes, isOpen: state.isOpen, highlightedIndex: 0 }
        : changes,
  });
  const { ref, ...inputProps } = box.getInputProps({
    'aria-invalid': error !== undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.code === 'Escape' && box.isOpen) event.stopPropagation();
      if (event.code === 'Backspace' && typed === '') onChange(ids.slice(0, -1));
    },
  });
  const addFound = (): void => {
    onChange([...ids, ...matching.map(({ id }) => id)]);
    setTyped('');
  };
  return (
    <div className={`${Classes.FORM_GROUP} combobox multi-combobox`}>
      <label className={Classes.LABEL} {...box.getLabelProps()}>
        {label}
      </label>
      {chosen.length > 0 && <Chosen items={chosen} onRemove={(id) => onChange(ids.filter((one) => one !== id))} />}
      <InputGroup
        fill
        {...inputProps}
        inputRef={ref as React.Ref<HTMLInputElement>}
        intent={error === undefined ? 'none' : 'danger'}
        placeholder={t('ui.type_to_find')}
      />
      <ul {...box.getMenuProps()} className={`${Classes.MENU} combobox-list`} hidden={!box.isOpen}>
        {box.isOpen &&
          found.map((item, index) => (
            <li
              key={item.id}
              {...box.getItemProps({ item, index })}
              className={`${Classes.MENU_ITEM} ${box.highlightedIndex === index ? Classes.ACTIVE : ''}`}
            >
              {item.name}
            </li>
          ))}
        {box.isOpen && found.length === 0 && <li className="combobox-none">{t('ui.nothing_found')}</li>}
      </ul>
      {error !== undefined && <div className={Classes.FORM_HELPER_TEXT}>{error}</div>}
      {matching.length > 1 && (
        <Button
          size="small"
          variant="minimal"
          text={<T k="ui.choose_found" count={matching.length} />}
          onClick={addFound}
        />
      )}
    </div>
  );
}
