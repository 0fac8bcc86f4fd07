import type { Key } from '../../src/shared/i18n/index.ts';
import { TRENDS, type TrendName } from '../../src/shared/triage/kinds.ts';
import type { Repair, Trend, Triage } from '../../src/shared/triage/triage.ts';
import { SwapHorizontalIcon, TickIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import './Course.css';

const REPAIRS = ['up', 'unblocked', 'moved'] as const satisfies readonly Repair['kind'][];

function RepairText({ repair: { kind, name, to, server, count } }: { repair: Repair }) {
  if (kind === 'moved') return <T k="triage.moved_to" name={name} to={to ?? ''} />;
  if (count === 1) return <T k={`triage.one_${kind}`} name={name} />;
  if (server === null) return <T k={`triage.many_${kind}`} n={count} />;
  return <T k={`triage.many_${kind}_on`} n={count} server={server} />;
}

/** The repairs of the last day: three counts, and the latest repairs. */
export function Repaired({ repaired: { counts, list } }: Pick<Triage, 'repaired'>) {
  const formats = useFormats();
  return (
    <Panel flush title={<T k="triage.repaired_title" />}>
      <dl className="repaired">
        {REPAIRS.map((kind) => (
          <div key={kind}>
            <dt>
              <T k={`triage.count_${kind}`} n={counts[kind]} />
            </dt>
            <dd>{formats.number(counts[kind])}</dd>
          </div>
        ))}
      </dl>
      {list.length > 0 && (
        <ul className="repairs">
          {list.map((repair) => (
            <li key={`${repair.kind} ${repair.at} ${repair.name} ${repair.server}`}>
              <time dateTime={repair.at} title={formats.dateTime(repair.at)}>
                {formats.time(repair.at)}
              </time>
              <span className={repair.kind === 'moved' ? 'running' : 'good'}>
                {repair.kind === 'moved' ? <SwapHorizontalIcon /> : <TickIcon />}
              </span>
              <span className="repair-text">
                <RepairText repair={repair} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const IS_BAD: Record<TrendName, boolean> = { blocked: true, down: true, moved: false, repair: false };

function TrendLine({ name, trend: { values, total } }: { name: TrendName; trend: Trend }) {
  const t = useT();
  const formats = useFormats();
  const label: Key = `triage.trend_${name}`;
  const text = total === null ? '' : name === 'repair' ? formats.span(total) : formats.number(total);
  return (
    <div className="trend">
      <dt>
        <T k={label} />
      </dt>
      <dd className="trend-line">
        {total !== null && (
          <Sparkline
            values={values}
            label={t('triage.trend_label', { name: t(label), n: text })}
            bad={IS_BAD[name] && (values.at(-1) ?? 0) > 0}
          />
        )}
      </dd>
      <dd className="trend-total">{total === null ? <NoData /> : text}</dd>
    </div>
  );
}

/** How thirty days went, as lines with a number each; a day of which nothing is known is a gap. */
export function Trends({ trends }: Pick<Triage, 'trends'>) {
  const isKnown = TRENDS.some((name) => trends[name].total !== null);
  return (
    <Panel flush title={<T k="triage.trends_title" />}>
      {isKnown ? (
        <dl className="trends">
          {TRENDS.map((name) => (
            <TrendLine key={name} name={name} trend={trends[name]} />
          ))}
        </dl>
      ) : (
        <p className="triage-nothing muted">
          <T k="triage.trends_none" />
        </p>
      )}
    </Panel>
  );
}
