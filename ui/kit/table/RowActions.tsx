import { EditIcon, TrashIcon } from '../icons.tsx';
import type { ReactNode } from 'react';
import { useT } from '../language.ts';
import { IconAction } from '../IconAction.tsx';

interface RowActionsProps {
  row: { id: number; name: string; can_edit: boolean };
  onEdit: () => void;
  onRemove: () => void;
  children?: ReactNode;
}

/** The actions of a row of team data; a note instead if the caller may not edit it. */
export function RowActions({ row, onEdit, onRemove, children }: RowActionsProps) {
  const t = useT();
  if (!row.can_edit) return <span className="muted">{t('team.not_yours')}</span>;
  return (
    <span className="icon-actions" data-row={row.id}>
      {children}
      <IconAction icon={<EditIcon />} action={t('sites.edit')} name={row.name} onClick={onEdit} />
      <IconAction icon={<TrashIcon />} action={t('sites.delete')} name={row.name} onClick={onRemove} />
    </span>
  );
}
