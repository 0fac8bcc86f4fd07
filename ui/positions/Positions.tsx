import { HTMLSelect } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { ENGINES } from '../../src/shared/engines.ts';
import { useCall } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { useT } from '../kit/language.ts';
import { Screen } from '../kit/Screen.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { useNarrow } from '../kit/useNarrow.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { Moves } from './Moves.tsx';
import { ProjectPanel } from './ProjectPanel.tsx';
import { VIEW } from './view.ts';
import './Positions.css';

/** Projects on the left, the positions of the chosen one on the right. The choice is in the URL. */
export function Positions() {
  const t = useT();
  const narrow = useNarrow();
  const [{ project: given, ...view }, setView] = useUrlState(VIEW);
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useCall('GET /api/user_projects');
  const projects = data?.data;
  const chosen = projects?.find(({ id }) => String(id) === given);
  const only = projects?.length === 1 ? projects[0] : undefined;
  useEffect(() => {
    if (given === '' && only) setView({ project: String(only.id) });
  }, [given, only, setView]);
  const found = projects?.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())) ?? [];
  return (
    <Screen title="nav.positions">
      {error && <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />}
      {!projects && !error && <Skeleton label={t('ui.loading')} />}
      {projects?.length === 0 && (
        <EmptyState>
          <T k="projects.none" />
        </EmptyState>
      )}
      {projects && projects.length > 0 && (
        <div className={narrow ? '' : 'positions'}>
          {narrow ? (
            <HTMLSelect
              fill
              aria-label={t('projects.list')}
              value={given}
              options={[
                { value: '', label: t('projects.select') },
                ...projects.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              onChange={(event) => setView({ project: event.currentTarget.value, keyword: '' })}
            />
          ) : (
            <nav aria-label={t('projects.list')} className="position-projects">
              <SearchField label={t('projects.search')} value={search} onChange={setSearch} />
              <ul>
                {found.map(({ id, name }) => (
                  <li key={id}>
                    <Link
                      to={{ search: `project=${id}&engine=${view.engine}` }}
                      aria-current={id === chosen?.id ? 'true' : undefined}
                    >
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <div className="position-panel">
            {chosen ? (
              <ProjectPanel key={chosen.id} project={chosen} view={view} onView={setView} />
            ) : (
              <EmptyState>
                <T k={given === '' ? 'projects.select' : 'projects.unknown'} />
              </EmptyState>
            )}
            <Moves engine={ENGINES.find((one) => one === view.engine) ?? 'yandex'} />
          </div>
        </div>
      )}
    </Screen>
  );
}
