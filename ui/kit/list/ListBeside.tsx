import { HTMLSelect } from '@blueprintjs/core';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState } from '../EmptyState.tsx';
import { SearchField } from '../form/SearchField.tsx';
import { T } from '../T.tsx';
import { useNarrow } from '../useNarrow.ts';
import './ListBeside.css';

/** A thing of the list. `search` is the query of its link; `facts` are shown with its name, but not in the select. */
export interface ListItem {
  id: string;
  name: string;
  search: string;
  facts?: ReactNode;
}

interface ListProps {
  /** The name of the list for screen readers. */
  label: string;
  /** The label of the search field. */
  find: string;
  items: readonly ListItem[];
  /** The id of the chosen item; empty: none. */
  chosen: string;
  /** The slash key focuses the search field. */
  slash?: boolean;
}

/** Moves the focus with ↑ and ↓ through the links of the list; ↑ on the first link leads to the search field. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  if (event.code !== 'ArrowDown' && event.code !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const at = stops.indexOf(event.target as HTMLElement);
  stops[at + (event.code === 'ArrowDown' ? 1 : -1)]?.focus();
  event.preventDefault();
}

/** The items as links, with a search field above. */
function LinkList({ label, find, items, chosen, slash = false }: ListProps) {
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const found = items.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    // Key presses bubble up from the links inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <nav aria-label={label} className="link-list" onKeyDown={onArrow}>
      <SearchField slash={slash} label={find} value={search} onChange={setSearch} />
      <ul>
        {found.map(({ id, name, search, facts }) => (
          <li key={id}>
            <Link to={{ search }} aria-current={id === chosen ? 'true' : undefined}>
              <span className="link-name" translate="no">
                {name}
              </span>
              {facts}
            </Link>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <EmptyState>
          <T k="ui.nothing_found" />
        </EmptyState>
      )}
    </nav>
  );
}

interface ListBesideProps extends ListProps {
  className: string;
  /** The select's line for no choice. */
  prompt: string;
  /** Called by the select with an id; empty: none. */
  onChoose: (id: string) => void;
  /** The content of the chosen item. */
  children: ReactNode;
}

/** A list at the left and the chosen item beside it; in a narrow window a select above. */
export function ListBeside({ className, prompt, onChoose, children, ...list }: ListBesideProps) {
  const { label, items, chosen } = list;
  if (!useNarrow()) {
    return (
      <div className={`list-beside ${className}`}>
        <LinkList {...list} />
        {children}
      </div>
    );
  }
  return (
    <div className={`list-above ${className}`}>
      <HTMLSelect
        fill
        aria-label={label}
        value={chosen}
        onChange={(event) => onChoose(event.target.value)}
        options={[{ value: '', label: prompt }, ...items.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {children}
    </div>
  );
}
