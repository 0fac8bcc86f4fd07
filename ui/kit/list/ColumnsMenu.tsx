import { Button, Checkbox } from '@blueprintjs/core';
import { Popover } from '../float/Popover.tsx';
import { IconAction } from '../IconAction.tsx';
import { ArrowDownIcon, ArrowUpIcon, PropertiesIcon } from '../icons.tsx';
import { useT } from '../language.ts';
import { T } from '../T.tsx';
import type { Column } from '../table/DataTable.tsx';
import { fitColumns } from '../table/fit.ts';
import { HeaderText } from '../table/HeaderText.tsx';
import { choosable, moved } from './layout.ts';
import type { ListLayout } from './useListLayout.ts';

function Line<Row>({ column, ids, name, hasNoRoom, onChange }: LineProps<Row>) {
  const t = useT();
  const isShown = ids.includes(column.id);
  const toggle = (): void => onChange(isShown ? ids.filter((id) => id !== column.id) : [...ids, column.id]);
  const at = ids.indexOf(column.id);
  return (
    <li>
      <Checkbox
        checked={isShown}
        disabled={isShown && ids.length === 1}
        onChange={toggle}
        labelElement={<HeaderText column={column} />}
      />
      {hasNoRoom && (
        <span className="list-menu-note">
          <T k="views.no_room" />
        </span>
      )}
      {isShown && at > 0 && (
        <IconAction
          icon={<ArrowUpIcon />}
          action={t('views.up')}
          name={name}
          onClick={() => onChange(moved(ids, column.id, -1))}
        />
      )}
      {isShown && at < ids.length - 1 && (
        <IconAction
          icon={<ArrowDownIcon />}
          action={t('views.down')}
          name={name}
          onClick={() => onChange(moved(ids, column.id, 1))}
        />
      )}
    </li>
  );
}

interface LineProps<Row> {
  column: Column<Row>;
  ids: readonly string[];
  name: string;
  /** It is chosen, and the window is too narrow for it. */
  hasNoRoom: boolean;
  onChange: (ids: string[]) => void;
}

/** The columns that the first list on the page has no room for now. */
function leftOut<Row>(columns: readonly Column<Row>[]): ReadonlySet<string> {
  const list = document.querySelector<HTMLElement>('main .rows');
  const hasBoxes = list?.querySelector('thead .select-cell') !== null;
  const fitted = list && fitColumns(columns, list.offsetWidth, { hasBoxes });
  return new Set(fitted?.left.map(({ id }) => id));
}

/** Looked at when the menu opens, and after each choice. */
function Lines<Row>({ layout }: { layout: ListLayout<Row> }) {
  const t = useT();
  const all = choosable(layout.all).filter(({ only }) => only === undefined);
  const ids = layout.chosen ?? all.map(({ id }) => id);
  const byPlace = [
    ...ids.flatMap((id) => all.filter((column) => column.id === id)),
    ...all.filter(({ id }) => !ids.includes(id)),
  ];
  const left = leftOut(layout.columns);
  return (
    <div className="list-menu">
      <p className="list-menu-note">
        <T k="views.columns_note" />
      </p>
      <ul className="column-lines">
        {byPlace.map((column) => (
          <Line
            key={column.id}
            column={column}
            ids={ids}
            hasNoRoom={left.has(column.id)}
            name={typeof column.header === 'string' ? t(column.header) : column.header.name}
            onChange={(columns) => void layout.set({ columns })}
          />
        ))}
      </ul>
      <Button
        size="small"
        disabled={layout.chosen === undefined}
        text={<T k="views.columns_reset" />}
        onClick={() => void layout.set({ columns: null })}
      />
    </div>
  );
}

/** Chooses the columns of a list and their order, which are kept for the person. */
export function ColumnsMenu<Row>({ layout }: { layout: ListLayout<Row> }) {
  return (
    <Popover content={<Lines layout={layout} />} align="end">
      {(target) => (
        <Button
          {...target}
          className="of-tables"
          variant="minimal"
          icon={<PropertiesIcon />}
          text={<T k="views.columns" />}
        />
      )}
    </Popover>
  );
}
