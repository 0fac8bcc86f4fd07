import { ENGINES } from '../../src/shared/engines.ts';
import type { IndexSpan } from '../../src/shared/checks/indexation.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { useNow } from '../kit/useNow.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import './IndexLanes.css';

/** The stretches of an engine as a strip from the first answer on, and the sentence of the newest one. */
function Lane({ name, spans }: { name: string; spans: readonly IndexSpan[] }) {
  const t = useT();
  const formats = useFormats();
  const now = useNow();
  const [newest] = spans;
  const text = newest
    ? t(newest.indexed ? 'indexation.in' : 'indexation.out', {
        date: formats.date(newest.since),
        n: Math.floor((now - Date.parse(newest.since)) / DAY_MS),
      })
    : t('indexation.never');
  return (
    <section className="index-lane" aria-label={name}>
      <h3 className="bp6-heading">{name}</h3>
      <p>
        {text}
        {newest?.doubted_at && (
          <>
            {' '}
            <T k="indexation.doubted" date={formats.dateTime(newest.doubted_at)} />
          </>
        )}
      </p>
      <div className="index-strip" aria-hidden="true">
        {spans.toReversed().map(({ since, indexed }, index, all) => {
          const next = all[index + 1];
          const days = Math.max(1, ((next ? Date.parse(next.since) : now) - Date.parse(since)) / DAY_MS);
          return <i key={since} className={indexed ? 'index-in' : 'index-out'} style={{ flexGrow: days }} />;
        })}
        {spans.length === 0 && <i className="index-none" style={{ flexGrow: 1 }} />}
      </div>
      {spans.length > 0 && (
        <ul>
          {spans.map(({ since, indexed, last_checked_at }) => (
            <li key={since}>
              <T
                k={indexed ? 'indexation.span_in' : 'indexation.span_out'}
                from={formats.date(since)}
                at={formats.dateTime(last_checked_at)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Since when Yandex and Google have a domain in their index, or have not: a lane for each. */
export function IndexLanes({ id }: { id: number }) {
  const t = useT();
  const params = { domainId: id };
  const { data, error, refetch } = useCall('GET /api/domain_indexation/:domainId', { params });
  if (error) return <Failed sentence="indexation.failed" reason={error.message} retry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('ui.loading')} />;
  return ENGINES.map((engine) => <Lane key={engine} name={t(`positions.${engine}`)} spans={data.data[engine]} />);
}
