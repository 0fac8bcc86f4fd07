import { Button } from '@blueprintjs/core';
import { useState, type ReactElement } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { AddIcon } from '../kit/icons.tsx';
import { useAsked } from '../kit/useAsked.ts';
import { useRowKeys } from '../kit/table/rowKeys.ts';
import { T } from '../kit/T.tsx';
import { EDITED } from './editedRow.ts';

interface RowDialogs<Row> {
  /** The button that opens the form of a new row. */
  add: ReactElement;
  /** The row whose form is open; null: a new one's; undefined: none is. */
  edited: Row | null | undefined;
  /** The row that is about to be deleted. */
  removed: Row | undefined;
  onEdit: (row: Row) => void;
  onRemove: (row: Row) => void;
  close: () => void;
}

/** Opens the dialogs of a list of the team's rows: by its buttons, by keys, and by the address of a row that the caller may edit. */
export function useRowDialogs<Row extends { id: number; can_edit: boolean }>(
  rows: readonly Row[] | undefined,
  addText: Key,
): RowDialogs<Row> {
  const [chosen, onEdit] = useState<Row | null>();
  const [asked, ask] = useAsked();
  const linked = useUrlDialog(EDITED);
  const given = rows?.find(({ id, can_edit }) => id === linked.id && can_edit);
  const edited = chosen ?? given ?? (asked === 'new' ? null : chosen);
  const [removed, onRemove] = useState<Row>();
  const onAdd = (): void => onEdit(null);
  useRowKeys(rows ?? [], { add: onAdd, edit: onEdit, remove: onRemove });
  const close = (): void => {
    onEdit(undefined);
    onRemove(undefined);
    if (given) linked.close();
    else if (asked !== '') ask('');
  };
  const add = <Button intent="primary" icon={<AddIcon />} text={<T k={addText} />} onClick={onAdd} />;
  return { add, edited, removed, onEdit, onRemove, close };
}
