import { Button } from '@blueprintjs/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  BUCKETS,
  countBuckets,
  rangeOf,
  type Bucket,
  type ExpiryCalendar as Calendar,
} from '../../src/shared/portfolio/expiry-calendar.ts';
import { dayOf } from '../../src/shared/portfolio/expiry-day.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { AWAITED, Loading, useAwaited } from '../kit/Loading.tsx';
import { Panel } from '../kit/Panel.tsx';
import { Failed } from '../kit/table/DataTable.tsx';
import { Status } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { useNarrow } from '../kit/useNarrow.ts';
import { useNow } from '../kit/useNow.ts';
import { domainsEnding } from './domainsEnding.ts';
import { ExpiryStrip } from './ExpiryStrip.tsx';
import { ExpiryWeeks } from './ExpiryWeeks.tsx';
import './ExpiryCalendar.css';

const ExpiryFeed = lazy(async () => ({ default: (await import('./ExpiryFeed.tsx')).ExpiryFeed }));

const LABELS: Record<Bucket, { label: Key; look: string }> = {
  overdue: { label: 'calendar.overdue', look: 'bad' },
  week: { label: 'calendar.week', look: 'doubtful' },
  month: { label: 'calendar.month', look: 'doubtful' },
  quarter: { label: 'calendar.quarter', look: '' },
  later: { label: 'calendar.later', look: '' },
};

/** How many registrations end how soon; each number leads to its domains. */
function Buckets({ calendar, today }: { calendar: Calendar; today: string }) {
  const t = useT();
  const formats = useFormats();
  const counts = countBuckets(calendar, today);
  return (
    <ul className="expiry-buckets" aria-label={t('calendar.buckets')}>
      {BUCKETS.map((bucket) => {
        const { label, look } = LABELS[bucket];
        const { from, to } = rangeOf(bucket, today);
        const count = counts[bucket];
        return (
          <li key={bucket}>
            <span className="muted">
              <T k={label} />
            </span>{' '}
            {count === 0 ? (
              <span>0</span>
            ) : (
              <Link to={domainsEnding(from, to)} className={look} aria-label={`${t(label)}: ${formats.number(count)}`}>
                {formats.number(count)}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** When registrations end over thirteen months: by day, or in a narrow window by week. */
export function ExpiryCalendar() {
  const today = dayOf(useNow());
  const isNarrow = useNarrow();
  const [isFeed, setFeed] = useState(false);
  const { data, error, isPending, refetch } = useCall(
    'GET /api/expiry_calendar',
    { query: { day: today } },
    { keep: true },
  );
  const isAwaited = useAwaited(isPending);
  if (error && !data) return <Failed sentence="calendar.failed" reason={error.message} retry={() => void refetch()} />;
  if (!data) return <span hidden className={isAwaited ? AWAITED : ''} />;
  const isEmpty = data.days.length + data.before + data.after === 0;
  return (
    <Panel
      title={<T k="calendar.title" />}
      aside={<Button size="small" text={<T k="feed.open" />} onClick={() => setFeed(true)} />}
    >
      {isEmpty ? (
        <p className="muted">
          <T k="calendar.none" />
        </p>
      ) : (
        <>
          <Buckets calendar={data} today={today} />
          {isNarrow ? <ExpiryWeeks days={data.days} today={today} /> : <ExpiryStrip calendar={data} today={today} />}
        </>
      )}
      {data.unknown > 0 && (
        <p className="expiry-unknown">
          <Link to="/sites?expiry=unknown">
            <T k="calendar.unknown" n={data.unknown} />
          </Link>
        </p>
      )}
      {data.doubted > 0 && (
        <p className="expiry-unknown">
          <Status state="stale">
            <Link to="/sites?expiry=doubted">
              <T k="expiry.doubts" n={data.doubted} />
            </Link>
          </Status>
        </p>
      )}
      <Suspense fallback={<Loading />}>{isFeed && <ExpiryFeed onClose={() => setFeed(false)} />}</Suspense>
    </Panel>
  );
}
