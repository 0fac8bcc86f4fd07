import { Button, Checkbox } from '@blueprintjs/core';
import type { TableColumn } from '../../src/shared/system/table-editor.ts';
import { Popover } from '../kit/float/Popover.tsx';
import { PropertiesIcon } from '../kit/icons.tsx';
import { T } from '../kit/T.tsx';

interface ColumnChooserProps {
  columns: readonly TableColumn[];
  hidden: ReadonlySet<string>;
  onHide: (hidden: ReadonlySet<string>) => void;
}

/** Chooses which columns are shown; this browser remembers it. */
export function ColumnChooser({ columns, hidden, onHide }: ColumnChooserProps) {
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    onHide(next);
  };
  const list = (
    <div className="column-chooser" translate="no">
      {columns
        .filter(({ name }) => name !== 'id')
        .map(({ name }) => (
          <Checkbox key={name} label={name} checked={!hidden.has(name)} onChange={() => toggle(name)} />
        ))}
      <Button
        size="small"
        disabled={hidden.size === 0}
        text={<T k="tables.all_columns" />}
        onClick={() => onHide(new Set())}
      />
    </div>
  );
  return (
    <Popover content={list} align="end">
      {(target) => <Button {...target} icon={<PropertiesIcon />} text={<T k="tables.columns" />} />}
    </Popover>
  );
}
