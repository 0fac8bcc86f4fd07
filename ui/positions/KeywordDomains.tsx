import type { Engine } from '../../src/shared/engines.ts';
import { useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { Sparkline } from '../kit/pictures/Sparkline.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';

interface KeywordDomainsProps {
  projectId: number;
  engine: Engine;
  keywordId: number;
}

/** The domains of the project that have had a place for a keyword, the best one now first. */
export function KeywordDomains({ projectId, engine, keywordId }: KeywordDomainsProps) {
  const t = useT();
  const params = { projectId, engine, keywordId };
  const { data, error, refetch } = useCall('GET /api/position/:projectId/:engine/:keywordId', { params });
  if (error) return <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('ui.loading')} />;
  const rows = data.domains
    .map((name, index) => {
      const values = data.values.map((day) => day[index] || null);
      const places = values.filter((value) => value !== null);
      return { name, values, last: values.at(-1) ?? null, best: Math.min(...places), isFound: places.length > 0 };
    })
    .filter(({ isFound }) => isFound)
    .toSorted((one, other) => (one.last ?? Infinity) - (other.last ?? Infinity) || one.best - other.best);
  if (rows.length === 0) {
    return (
      <p className="muted">
        <T k="positions.no_domain" />
      </p>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys
    <section className="position-table" tabIndex={0} aria-label={t('positions.view_domains')}>
      <table className="bp6-html-table bp6-html-table-condensed">
        <thead>
          <tr>
            <th>{t('positions.domain')}</th>
            <th>{t('positions.position')}</th>
            <th>{t('positions.best')}</th>
            <th>{t('positions.curve')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values, last, best }) => (
            <tr key={name}>
              <td translate="no">{name}</td>
              <td>{last ?? '—'}</td>
              <td>{best}</td>
              <td>
                <Sparkline
                  label={t('positions.curve_of', { name })}
                  values={values.map((value) => (value === null ? null : -value))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
