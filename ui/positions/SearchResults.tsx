import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import type { Engine } from '../../src/shared/engines.ts';
import { ApiError, useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';

const WEEK = 7;

interface TwoDaysProps {
  projectId: number;
  engine: Engine;
  keywordId: number;
  dates: readonly string[];
}

/** The results of two days beside each other, at first of the last one and of a week before it. */
export function TwoDays({ dates, ...keyword }: TwoDaysProps) {
  const last = dates.length - 1;
  return (
    <div className="position-two">
      <Results {...keyword} dates={dates} first={dates[Math.max(0, last - WEEK)] ?? ''} />
      <Results {...keyword} dates={dates} first={dates[last] ?? ''} />
    </div>
  );
}

/** The results of a day, those of the project's domains marked. */
function Results({ projectId, engine, keywordId, dates, first }: TwoDaysProps & { first: string }) {
  const t = useT();
  const formats = useFormats();
  const [date, setDate] = useState(first);
  const { data, error, refetch } = useCall('GET /api/search_results/:projectId/:engine/:keywordId', {
    params: { projectId, engine, keywordId },
    query: { date },
  });
  const own = new Map(data?.data.own.map(({ place, domain_name }) => [place, domain_name]));
  const isUnread = error instanceof ApiError && error.status === 404;
  return (
    <section aria-label={formats.day(date)}>
      <HTMLSelect
        aria-label={t('positions.date')}
        value={date}
        options={dates.toReversed().map((one) => ({ value: one, label: formats.day(one) }))}
        onChange={(event) => setDate(event.currentTarget.value)}
      />
      {isUnread && (
        <p className="muted">
          <T k="positions.no_reading" />
        </p>
      )}
      {error && !isUnread && (
        <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton label={t('ui.loading')} />}
      {data?.data.urls === null && (
        <p className="muted">
          <T k="positions.too_old" />
        </p>
      )}
      {data?.data.urls && (
        <ol
          className="position-results"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys
          tabIndex={0}
          aria-label={t('positions.results_of', { date: formats.day(date) })}
        >
          {data.data.urls.map((url, index) => (
            // A list may have an address twice.
            // oxlint-disable-next-line react/no-array-index-key -- places are what the list is about
            <li key={index} className={own.has(index + 1) ? 'own' : ''} translate="no">
              {url.replace(/^https?:\/\//, '')}
              {own.has(index + 1) && <span className="visually-hidden">{` (${t('positions.own')})`}</span>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
