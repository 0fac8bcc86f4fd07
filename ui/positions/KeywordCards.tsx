import { useT } from '../kit/language.ts';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { bandOf, type HeatRow } from './heat.ts';

interface KeywordCardsProps {
  rows: readonly HeatRow[];
  onChoose: (keywordId: number) => void;
}

const DAYS = 30;

/** The keywords as a list for a narrow window: the last place, its change, and a line. A tap opens the history. */
export function KeywordCards({ rows, onChoose }: KeywordCardsProps) {
  const t = useT();
  return (
    <ul className="keyword-cards">
      {rows.map(({ id, value, last, change, cells }) => {
        const mark =
          change === 'new'
            ? `▲ ${t('positions.new')}`
            : change === 'out'
              ? `▼ ${t('positions.out')}`
              : change === null
                ? ''
                : `${change > 0 ? '▲' : '▼'}${Math.abs(change)}`;
        return (
          <li key={id}>
            <button type="button" onClick={() => onChoose(id)}>
              <span className="keyword-value">{value}</span>
              <Sparkline
                label={t('positions.line_of', { keyword: value })}
                values={cells
                  .slice(-DAYS)
                  .map((cell) => (cell.value === null || cell.value === 0 ? null : -cell.value))}
              />
              <span className={`keyword-last ${last === null ? '' : `heat-${bandOf(last)}`}`}>
                {last === null
                  ? '—'
                  : last === 0
                    ? `>${cells.findLast((cell) => cell.value !== null)?.depth ?? ''}`
                    : last}{' '}
                {mark && <small>{mark}</small>}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
