import { Button } from '@blueprintjs/core';
import { FolderNewIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useEffect } from 'react';
import type { ProjectView } from '../../src/shared/portfolio/projects.ts';
import { useCall } from '../kit/api.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { ProjectDetail } from './ProjectDetail.tsx';
import { ProjectFacts } from './ProjectFacts.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import { useAsked } from '../kit/useAsked.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { useLanguage, useT } from '../kit/language.ts';
import './Projects.css';
import { ListBeside } from '../kit/list/ListBeside.tsx';
import { Loading } from '../kit/Loading.tsx';
import { keep, readKept } from '../kit/reader/storage.ts';

const Project = lazy(async () => ({ default: (await import('./Project.tsx')).Project }));

const VIEW = { project: '', search: '', sort: '', reserve_sort: '' };
const NO_SEARCH = { search: '', sort: '', reserve_sort: '' };
const LAST = 'project';

/** Stands beside the list until a project is chosen; has both wordings of the specification. */
function Prompt({ isUnknown }: { isUnknown: boolean }) {
  const isRussian = useLanguage() === 'ru';
  return (
    <EmptyState>
      {isUnknown && (
        <>
          <T k="projects.unknown" />
          <br />
        </>
      )}
      <span className="prompt">
        <T k="projects.select" />
      </span>
      {isRussian && (
        <>
          <br />
          <T k="projects.select_verbatim" />
        </>
      )}
    </EmptyState>
  );
}

type SetView = (change: Partial<typeof VIEW>) => void;

/** Returns the project of the address. It is remembered, and chosen where the address has none. */
function useChosenProject(projects: readonly ProjectView[] | undefined, given: string, setView: SetView) {
  const chosen = projects?.find(({ id }) => String(id) === given);
  useEffect(() => {
    if (chosen) keep(LAST, String(chosen.id));
  }, [chosen]);
  useEffect(() => {
    const last = readKept(LAST) ?? '';
    if (given === '' && projects?.some(({ id }) => String(id) === last)) setView({ project: last });
  }, [given, projects, setView]);
  return chosen;
}

/** Projects on the left, the chosen one on the right. The choice is in the URL; the last one is remembered. */
export function Projects() {
  const t = useT();
  const [{ project: given, ...view }, setView] = useUrlState(VIEW);
  const [asked, ask] = useAsked();
  const { data, error, refetch, isFetching } = useCall('GET /api/user_projects');
  const projects = data?.data;
  const chosen = useChosenProject(projects, given, setView);
  const choose = (id: number | undefined): void => {
    if (id === undefined) keep(LAST, null);
    setView({ ...NO_SEARCH, project: String(id ?? '') });
  };
  useEffect(() => {
    if (error) toastFailure(t('projects.failed'), error, { place: 'project' });
  }, [error, t]);
  const create = <Button icon={<FolderNewIcon />} text={<T k="projects.create" />} onClick={() => ask('new')} />;
  return (
    <Screen title="nav.projects" actions={create}>
      {error && <Failed sentence="projects.failed" reason={error.message} retry={() => void refetch()} />}
      {!projects && !error && <Skeleton label={t('ui.loading')} />}
      {projects?.length === 0 && (
        <EmptyState action={create}>
          <T k="projects.none" />
        </EmptyState>
      )}
      {projects && projects.length > 0 && (
        <ListBeside
          slash
          className="projects"
          label={t('projects.list')}
          find={t('projects.search')}
          prompt={t('projects.select')}
          items={projects.map((project) => ({
            id: String(project.id),
            name: project.name,
            search: `project=${project.id}`,
            facts: <ProjectFacts project={project} />,
          }))}
          chosen={given}
          onChoose={(id) => choose(Number(id) || undefined)}
        >
          <div>
            {chosen ? (
              <ProjectDetail key={chosen.id} project={chosen} view={view} onView={setView} onChoose={choose} />
            ) : (
              <Prompt isUnknown={given !== '' && !isFetching} />
            )}
          </div>
        </ListBeside>
      )}
      <Suspense fallback={<Loading />}>
        {asked === 'new' && <Project onSaved={choose} onClose={() => ask('')} />}
      </Suspense>
    </Screen>
  );
}
