import { useFormats, useT } from '../kit/language.ts';
import type { HeatRow } from './heat.ts';
import { placeText } from './heatText.ts';

/** The places of a keyword by day as a table, the newest first: what its chart shows, for who does not see it. */
export function PlaceTable({ row, dates }: { row: HeatRow; dates: readonly string[] }) {
  const t = useT();
  const formats = useFormats();
  const days = row.cells.map((cell, index) => ({ ...cell, date: dates[index] ?? '' })).toReversed();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys
    <section className="position-table" tabIndex={0} aria-label={t('positions.view_table')}>
      <table className="bp6-html-table bp6-html-table-condensed">
        <thead>
          <tr>
            <th>{t('positions.date')}</th>
            <th>{t('positions.position')}</th>
            <th>{t('positions.page')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, url, isRival, ...cell }) => (
            <tr key={date}>
              <td>{formats.day(date)}</td>
              <td>{cell.value === null ? t('positions.no_check') : placeText(cell)}</td>
              <td>
                <span translate="no">{url ?? '—'}</span>
                {isRival && ` (${t('positions.rival')})`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
