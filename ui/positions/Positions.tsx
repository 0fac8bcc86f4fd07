import { Link } from 'react-router-dom';
import { useEffect } from 'react';
import { ENGINES } from '../../src/shared/engines.ts';
import { useCall } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { ListBeside } from '../kit/list/ListBeside.tsx';
import { Screen } from '../kit/Screen.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import { Moves } from './Moves.tsx';
import { ProjectPanel } from './ProjectPanel.tsx';
import { VIEW } from './view.ts';
import './Positions.css';

/** Stands at the right of a project in the list. */
function KeywordCount({ count }: { count: number }) {
  const t = useT();
  const formats = useFormats();
  const text = t('keywords.count', { n: count });
  return (
    <span className="muted position-count" title={text}>
      <span aria-hidden="true">{formats.number(count)}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** Projects on the left, the positions of the chosen one on the right. The choice is in the URL. */
export function Positions() {
  const t = useT();
  const [{ project: given, ...view }, setView] = useUrlState(VIEW);
  const { data, error, refetch } = useCall('GET /api/user_projects');
  const projects = data?.data;
  const chosen = projects?.find(({ id }) => String(id) === given);
  const only = projects?.length === 1 ? projects[0] : undefined;
  useEffect(() => {
    if (given === '' && only) setView({ project: String(only.id) });
  }, [given, only, setView]);
  return (
    <Screen title="nav.positions">
      {error && <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />}
      {!projects && !error && <Skeleton label={t('ui.loading')} />}
      {projects?.length === 0 && (
        <EmptyState
          action={
            <Link className="bp6-button" to="/projects?open=new">
              <T k="projects.create" />
            </Link>
          }
        >
          <T k="projects.none" />
        </EmptyState>
      )}
      {projects && projects.length > 0 && (
        <ListBeside
          className="positions"
          label={t('projects.list')}
          find={t('projects.search')}
          prompt={t('projects.select')}
          items={projects.map(({ id, name, keyword_count }) => ({
            id: String(id),
            name,
            search: `project=${id}&engine=${view.engine}`,
            facts: <KeywordCount count={keyword_count} />,
          }))}
          chosen={given}
          onChoose={(project) => setView({ project, keyword: '' })}
        >
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
        </ListBeside>
      )}
    </Screen>
  );
}
