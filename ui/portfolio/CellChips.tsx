import { cellsText, parseCells } from '../../src/shared/portfolio/domain-cells.ts';
import { useCall } from '../kit/api.ts';
import { FilterChip } from '../kit/FilterChip.tsx';
import { useT } from '../kit/language.ts';
import { cellName, cellWords } from './cells.ts';
import type { FiltersProps } from './DomainFilters.tsx';

/** The values of cells that the list is narrowed by: a press takes one off. */
export function CellChips({ view, onView }: FiltersProps) {
  const t = useT();
  const { data: projects } = useCall('GET /api/user_projects');
  const cells = parseCells(view.cells);
  if (cells.length === 0) return null;
  const projectOf = (id: string): string => projects?.data.find((one) => String(one.id) === id)?.name ?? id;
  return (
    <div className="expiry-chip">
      {cells.map((cell) => (
        <FilterChip
          key={cellsText([cell])}
          name={t(cellName(cell))}
          value={cellWords(cell, t, projectOf(cell.value))}
          onRemove={() => onView({ cells: cellsText(cells.filter((other) => other !== cell)) })}
        />
      ))}
    </div>
  );
}
