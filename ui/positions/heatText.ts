import { useCallback, useMemo } from 'react';
import type { PositionEvent } from '../../src/shared/positions/positions.ts';
import { useFormats, useT } from '../kit/language.ts';
import type { Mark } from './chartOptions.ts';
import type { HeatCell, HeatRow } from './heat.ts';
import { placeEvents } from './series.ts';

/** Returns the mark of a change: a triangle with the number of places, or a word; empty for none. */
export function useChange(): (change: HeatCell['change']) => string {
  const t = useT();
  return useCallback(
    (change) => {
      if (change === null) return '';
      if (change === 'new') return `▲ ${t('positions.new')}`;
      if (change === 'out') return `▼ ${t('positions.out')}`;
      return change > 0 ? `▲${change}` : `▼${-change}`;
    },
    [t],
  );
}

/** Returns what stands in a cell: a place, or that it is beyond the depth that was read; a dash where the depth is not known. */
export function placeText({ value, depth }: Pick<HeatCell, 'value' | 'depth'>): string {
  if (value === null) return '';
  if (value > 0) return String(value);
  return depth === null ? '—' : `>${depth}`;
}

/** Returns the sentence about a cell: keyword, date, place, change, address. */
export function useSentence(): (cell: HeatCell, date: string, row: HeatRow) => string {
  const t = useT();
  const formats = useFormats();
  const change = useChange();
  return useCallback(
    (cell, date, { value: keyword, best, target_url }) => {
      const parts = [keyword, formats.day(date)];
      if (cell.value === null) return [...parts, t('positions.no_check')].join(', ');
      if (cell.value > 0) parts.push(t('positions.place', { n: cell.value }));
      else if (cell.depth === null) parts.push(t('positions.not_found'));
      else parts.push(t('positions.not_within', { depth: cell.depth }));
      const mark = change(cell.change);
      if (mark !== '') parts.push(mark);
      if (cell.before !== null && cell.before > 0) parts.push(t('positions.before', { n: cell.before }));
      if (best !== null) parts.push(t('positions.best_is', { n: best }));
      if (cell.url !== null) parts.push(cell.url);
      if (cell.isRival) parts.push(t('positions.rival'), t('positions.wanted', { url: target_url ?? '' }));
      return parts.join(', ');
    },
    [change, formats, t],
  );
}

/** Returns the marks of events on a chart of some dates. */
export function useEventMarks(events: readonly PositionEvent[], dates: readonly string[]): Mark[] {
  const t = useT();
  return useMemo(
    () =>
      placeEvents(events, dates).map(({ at, kind, domain_name, to_name }) => ({
        at,
        isBad: kind === 'blocked',
        text: t(`positions.event_${kind}`, { domain: domain_name, to: to_name ?? '' }),
      })),
    [events, dates, t],
  );
}
