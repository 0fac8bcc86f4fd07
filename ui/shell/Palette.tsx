import { InputGroup, Spinner } from '@blueprintjs/core';
import { useCombobox } from 'downshift';
import { useId, useState, type Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import { DialogFrame } from '../kit/dialog/DialogFrame.tsx';
import { SearchIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { recentPlaces } from '../kit/recent.ts';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { keyName } from '../kit/useKeys.ts';
import { GROUP_TITLES, useEntries, type Entry } from './paletteEntries.ts';
import './palette.css';

interface PaletteProps {
  onClose: () => void;
  onHelp: () => void;
}

/** Finds a domain, a project, an action or a screen by what is typed, and opens it. */
export const Palette = (props: PaletteProps) => (
  <DialogFrame title={<T k="palette.title" />} width={640} onClose={props.onClose}>
    <Finder {...props} />
  </DialogFrame>
);

type Box = ReturnType<typeof useFinder>;

/** Keeps what is typed and which line is chosen; lines that arrive later do not move the choice to another one. */
function useFinder({ onClose, onHelp }: PaletteProps) {
  const navigate = useNavigate();
  const user = useSession().user?.id ?? 0;
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState<string>();
  const { entries, isLooking } = useEntries(typed, onHelp);
  const open = ({ id, name, group, to, run }: Entry): void => {
    onClose();
    if (to !== undefined && group !== 'actions')
      recentPlaces.remember(user, { id: id.replace(/^recent /, ''), name, to });
    if (to === undefined) void run?.();
    else void navigate(to);
  };
  const box = useCombobox<Entry>({
    items: entries,
    isOpen: true,
    selectedItem: null,
    inputValue: typed,
    // The first line until another is chosen; none where there is none.
    highlightedIndex: Math.min(
      Math.max(
        entries.findIndex(({ id }) => id === active),
        0,
      ),
      entries.length - 1,
    ),
    itemToString: (entry) => entry?.name ?? '',
    // Leaving the field chooses nothing: downshift would take the line under the cursor.
    stateReducer: (state, { type, changes }) => (type === useCombobox.stateChangeTypes.InputBlur ? state : changes),
    onHighlightedIndexChange: ({ highlightedIndex }) => setActive(entries[highlightedIndex]?.id),
    onSelectedItemChange: ({ selectedItem }) => selectedItem && open(selectedItem),
  });
  const type = (text: string): void => {
    setTyped(text);
    setActive(undefined);
  };
  return { box, entries, isLooking, typed, type };
}

function Finder(props: PaletteProps) {
  const t = useT();
  const finder = useFinder(props);
  const { box, entries, isLooking, typed, type } = finder;
  const { ref, ...input } = box.getInputProps({
    'aria-label': t('palette.label'),
    'aria-labelledby': undefined,
    onChange: (event) => type(event.currentTarget.value),
    onKeyDown: (event) => {
      if (keyName(event.nativeEvent) !== 'Ctrl+KeyK') return;
      event.preventDefault();
      props.onClose();
    },
  });
  return (
    <div className="palette">
      <InputGroup
        {...input}
        inputRef={ref as Ref<HTMLInputElement>}
        size="large"
        leftElement={<SearchIcon />}
        placeholder={t('palette.placeholder')}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        rightElement={isLooking ? <Spinner size={16} aria-label={t('palette.looking')} /> : undefined}
      />
      <Lines {...finder} />
      <output className="palette-none">
        {entries.length === 0 && !isLooking && t('palette.none', { text: typed.trim() })}
      </output>
    </div>
  );
}

/** The lines under their headings. */
function Lines({ box, entries }: Box) {
  const t = useT();
  const id = useId();
  const groups = [...new Set(entries.map(({ group }) => group))];
  return (
    <div
      {...box.getMenuProps({ 'aria-label': t('palette.title'), 'aria-labelledby': undefined })}
      className="palette-list"
    >
      {groups.map((group) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a listbox takes groups and options alone
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div className="palette-heading" id={`${id}-${group}`}>
            <T k={GROUP_TITLES[group]} />
          </div>
          {entries.map((entry, index) => entry.group === group && <Line key={entry.id} {...{ box, entry, index }} />)}
        </div>
      ))}
    </div>
  );
}

function Line({ box, entry, index }: { box: Box['box']; entry: Entry; index: number }) {
  const isActive = box.highlightedIndex === index;
  return (
    <div {...box.getItemProps({ item: entry, index })} className={`palette-line ${isActive ? 'active' : ''}`}>
      <span className="palette-name">{entry.name}</span>
      {entry.detail !== undefined && <span className="palette-detail muted">{entry.detail}</span>}
      {entry.keys !== undefined && <kbd>{entry.keys}</kbd>}
    </div>
  );
}
