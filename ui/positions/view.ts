import type { HeatFilter } from './heat.ts';

/** What is chosen of the screen, in its URL. `days` is a period, or TWO for the dates `from` and `to`. */
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
/** What is on or off, as it stands in the URL. */
export const ON = '1';

/** Returns what a view shows of the rows. */
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
