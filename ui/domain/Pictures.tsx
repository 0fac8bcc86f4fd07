import { useMemo } from 'react';
import { useCall, type AnswerOf } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { AvailabilityStrip, type Span } from '../kit/pictures/AvailabilityStrip.tsx';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { T } from '../kit/T.tsx';
import { useNow } from '../kit/useNow.ts';
import { DAYS_SHOWN, daysOf, togetherOf, type DayOfDomain } from './days.ts';

const MOST_BLOCKS = 100;

type Figures = AnswerOf<'GET /api/domains/:id/check_days'>['data'];

/** Returns a day of a domain as a part of the strip. */
function useSpan(): (day: DayOfDomain) => Span {
  const t = useT();
  const formats = useFormats();
  return ({ day, isBlocked, up }) => {
    const date = formats.day(day);
    if (isBlocked) return { title: t('domain_page.day_blocked', { date }), state: 'blocked' };
    if (up === null) return { title: t('domain_page.day_unknown', { date }), state: 'unknown' };
    const share = formats.number(Math.floor(up * 1000) / 10);
    const title = t('domain_page.day_up', { date, share });
    return up === 1 ? { title, state: 'up' } : { title, state: 'down', share: 1 - up };
  };
}

/** The ends of the shown time, for under a picture. */
function Ends({ days }: { days: readonly DayOfDomain[] }) {
  const formats = useFormats();
  return (
    <div className="availability-axis" aria-hidden="true">
      <span>{formats.dayMonth(days[0]?.day ?? '')}</span>
      <span>
        <T k="domain_page.today" />
      </span>
    </div>
  );
}

function Drawn({ figures, days, today }: { figures: Figures; days: readonly DayOfDomain[]; today: string }) {
  const t = useT();
  const formats = useFormats();
  const spanOf = useSpan();
  const sum = togetherOf(figures, today);
  const median = sum?.median_ms == null ? t('ui.no_data') : t('checks.ms', { n: sum.median_ms });
  const worst = sum?.worst_ms == null ? '' : t('domain_page.worst', { n: sum.worst_ms });
  const share = sum === null ? t('ui.no_data') : t('checks.up_share', { share: formats.number(sum.up) });
  const period = <T k="domain_page.last_days" n={DAYS_SHOWN} />;
  return (
    <div className="domain-pictures">
      <Panel
        title={<T k="domain_page.response" />}
        aside={
          <>
            {period} <b>{median}</b>
          </>
        }
      >
        <Sparkline
          wide
          values={days.map(({ median_ms }) => median_ms)}
          label={`${t('domain_page.response')}: ${median}. ${worst}`}
        />
        <Ends days={days} />
        {worst !== '' && <p className="domain-picture-note">{worst}</p>}
      </Panel>
      <Panel
        title={<T k="domain_page.availability" />}
        aside={
          <>
            {period} <b>{share}</b>
          </>
        }
      >
        <AvailabilityStrip spans={days.map(spanOf)} label={`${t('domain_page.availability')}: ${share}`} />
        <Ends days={days} />
        <ul className="domain-legend" aria-hidden="true">
          {(['up', 'down', 'blocked', 'unknown'] as const).map((state) => (
            <li key={state}>
              <i className={`legend-${state}`} />
              <T k={`domain_page.legend_${state}`} />
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

/** How a domain has answered in the last days: its median response time, and the share of its checks that went well. */
export function Pictures({ id }: { id: number }) {
  const today = new Date(useNow()).toISOString().slice(0, 10);
  const { data: figures } = useCall('GET /api/domains/:id/check_days', { params: { id } });
  const { data: blocks } = useCall('GET /api/domains/:id/timeline', {
    params: { id },
    query: { kinds: 'blocks', limit: MOST_BLOCKS },
  });
  const days = useMemo(
    () => (figures && blocks ? daysOf(figures.data, blocks.data, today) : undefined),
    [figures, blocks, today],
  );
  // Without an answer the page is as good without them: its lists say what has failed.
  if (!figures || !days) return <div className="domain-pictures domain-pictures-wait" aria-hidden="true" />;
  return <Drawn figures={figures.data} days={days} today={today} />;
}
