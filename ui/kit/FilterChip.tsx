import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { AddIcon, CrossIcon } from './icons.tsx';
import { useT } from './language.ts';

interface FilterChipProps {
  /** The field. */
  name: string;
  value: string;
  onRemove: () => void;
}

/** A filter that is on: a press takes it off. */
export function FilterChip({ name, value, onRemove }: FilterChipProps) {
  const t = useT();
  return (
    <Button
      size="small"
      className="filter-chip"
      endIcon={<CrossIcon size={12} />}
      aria-label={t('ui.remove_filter', { name, value })}
      onClick={onRemove}
    >
      {name}: <b>{value}</b>
    </Button>
  );
}

/** Offers a filter that is off. */
export function AddFilter({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Button size="small" className="filter-chip-add" icon={<AddIcon size={12} />} text={children} onClick={onClick} />
  );
}
