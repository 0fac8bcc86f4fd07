import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { useT } from '../kit/language.ts';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { T } from '../kit/T.tsx';
import { bandOf, type HeatRow } from './heat.ts';
import { sparkValues } from './HeatRow.tsx';
import { placeText, useChange } from './heatText.ts';

interface KeywordCardsProps {
  rows: readonly HeatRow[];
  onChoose: (keywordId: number) => void;
}

// A phone takes long for thousands of them.
const STEP = 100;

function Card({ row, onChoose }: Pick<KeywordCardsProps, 'onChoose'> & { row: HeatRow }) {
  const t = useT();
  const markOf = useChange();
  const { id, value, last, change, cells } = row;
  const mark = markOf(change);
  const newest = cells.findLast((cell) => cell.value !== null);
  return (
    <button type="button" onClick={() => onChoose(id)}>
      <span className="keyword-value">{value}</span>
      <Sparkline label={t('positions.line_of', { keyword: value })} values={sparkValues(row)} />
      <span className={last === null ? 'keyword-last' : `keyword-last heat-${bandOf(last)}`}>
        {newest ? placeText(newest) : '—'} {mark && <small>{mark}</small>}
      </span>
    </button>
  );
}

/** The keywords as a list for a narrow window: the last place, its change, and a line. A tap opens the history. */
export function KeywordCards({ rows, onChoose }: KeywordCardsProps) {
  const [most, setMost] = useState(STEP);
  return (
    <>
      <ul className="keyword-cards">
        {rows.slice(0, most).map((row) => (
          <li key={row.id}>
            <Card row={row} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {rows.length > most && (
        <Button
          text={<T k="positions.more" n={Math.min(STEP, rows.length - most)} all={rows.length} />}
          onClick={() => setMost(most + STEP)}
        />
      )}
    </>
  );
}
