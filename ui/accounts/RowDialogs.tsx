import { Button } from '@blueprintjs/core';
import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { AddIcon } from '../kit/icons.tsx';
import { useAsked } from '../kit/useAsked.ts';
import { useRowKeys } from '../kit/table/rowKeys.ts';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { EDITED } from './editedRow.ts';

// It comes with the page, which is looked at first.
const REFUSAL_MS = 10_000;

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

/** Says why no form opens for the row that the address names, and takes it out of the address. */
function useRefusal(isAsked: boolean, text: Key): void {
  const t = useT();
  const [search, setSearch] = useSearchParams();
  useEffect(() => {
    if (!isAsked || !search.has(EDITED)) return;
    toast.error(t(text), { timeout: REFUSAL_MS });
    setSearch(
      (now) => {
        const rest = new URLSearchParams(now);
        rest.delete(EDITED);
        return rest;
      },
      { replace: true },
    );
  }, [isAsked, text, search, setSearch, t]);
}

/**
 * Opens the dialogs of a list of the team's rows: by its buttons, by keys, and by the address of a row. An address that names a row
 * which the caller may not edit, or which is not there, is told of and cleared.
 */
export function useRowDialogs<Row extends { id: number; can_edit: boolean }>(
  rows: readonly Row[] | undefined,
  addText: Key,
): RowDialogs<Row> {
  const [chosen, onEdit] = useState<Row | null>();
  const [asked, ask] = useAsked();
  const linked = useUrlDialog(EDITED);
  const named = rows?.find(({ id }) => id === linked.id);
  const given = named?.can_edit ? named : undefined;
  // A list that is kept may be older than the link: what is read anew decides.
  const isReading = useIsFetching() > 0;
  useRefusal(rows !== undefined && !isReading && given === undefined, named ? 'team.forbidden' : 'team.gone');
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
