import type { HeatFilter } from './heat.ts';

/** The defaults of the choices in the URL of the screen. `days` is a period, or TWO for the dates `from` and `to`. */
export const VIEW = {
  project: '',
  engine: 'yandex',
  days: '30',
  from: '',
  to: '',
  look: 'heat',
  order: 'new',
  keyword: '',
  search: '',
  tag: '',
  band: '',
  fallen: '',
  rival: '',
};

export type PositionView = Omit<typeof VIEW, 'project'>;
export type ChangeView = (change: Partial<PositionView>) => void;

/** The periods in days. */
export const PERIODS: readonly string[] = ['7', '30', '90'];
/** Two dates are compared. */
export const TWO = 'two';
/** The value of a switch that is on, in the URL; off is empty. */
export const ON = '1';

/** Returns the filter of the rows of a view. */
export const filterOf = ({ search, tag, band, fallen, rival }: PositionView): HeatFilter => ({
  search,
  tag,
  band: Number(band) || null,
  hasFallen: fallen === ON,
  isRival: rival === ON,
});

/** Returns the two dates that a view compares, the earlier one first: those of the URL, else the first and the last one. */
export function comparedDates({ from, to }: PositionView, dates: readonly string[]): string[] {
  const first = dates.includes(from) ? from : dates[0];
  const last = dates.includes(to) ? to : dates.at(-1);
  return [first, last].filter((date) => date !== undefined).toSorted();
}
