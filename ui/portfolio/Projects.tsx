import { Button, HTMLSelect } from '@blueprintjs/core';
import { FolderNewIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { ProjectView } from '../../src/shared/portfolio/projects.ts';
import { useCall } from '../kit/api.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { ProjectDetail } from './ProjectDetail.tsx';
import { ProjectList } from './ProjectList.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import { useNarrow } from '../kit/useNarrow.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { useLanguage, useT } from '../kit/language.ts';
import './Projects.css';
import { Loading } from '../kit/Loading.tsx';

const Project = lazy(async () => ({ default: (await import('./Project.tsx')).Project }));

const VIEW = { project: '', search: '', sort: '', reserve_sort: '' };
const NO_SEARCH = { search: '', sort: '', reserve_sort: '' };
const LAST = 'project';

/** The list as a select, for a narrow window. */
function ProjectSelect({ projects, chosen, onChoose }: PickerProps) {
  const t = useT();
  return (
    <HTMLSelect
      fill
      className="project-select"
      aria-label={t('projects.list')}
      value={chosen?.id ?? ''}
      onChange={(event) => onChoose(Number(event.target.value) || undefined)}
      options={[
        { value: '', label: t('projects.select') },
        ...projects.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

interface PickerProps {
  projects: readonly ProjectView[];
  chosen: ProjectView | undefined;
  onChoose: (id: number | undefined) => void;
}

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

/** Projects on the left, the chosen one on the right. The choice is in the URL; the last one is remembered. */
export function Projects() {
  const t = useT();
  const narrow = useNarrow();
  const [{ project: given, ...view }, setView] = useUrlState(VIEW);
  const [creating, setCreating] = useState(false);
  const { data, error, refetch, isFetching } = useCall('GET /api/user_projects');
  const projects = data?.data;
  const chosen = projects?.find(({ id }) => String(id) === given);
  const choose = (id: number | undefined): void => {
    if (id === undefined) localStorage.removeItem(LAST);
    setView({ ...NO_SEARCH, project: String(id ?? '') });
  };
  useEffect(() => {
    if (chosen) localStorage.setItem(LAST, String(chosen.id));
  }, [chosen]);
  useEffect(() => {
    const last = localStorage.getItem(LAST) ?? '';
    if (given === '' && projects?.some(({ id }) => String(id) === last)) setView({ project: last });
  }, [given, projects, setView]);
  useEffect(() => {
    if (error) toastFailure(t('projects.failed'), error, { place: 'project' });
  }, [error, t]);
  const create = <Button icon={<FolderNewIcon />} text={<T k="projects.create" />} onClick={() => setCreating(true)} />;
  return (
    <Screen title="nav.projects" actions={create}>
      {error && <Failed sentence="projects.failed" reason={error.message} retry={() => void refetch()} />}
      {!projects && !error && <Skeleton label={t('ui.loading')} />}
      {projects?.length === 0 && (
        <EmptyState>
          <T k="projects.none" />
        </EmptyState>
      )}
      {projects && projects.length > 0 && (
        <div className={narrow ? '' : 'projects'}>
          {narrow ? (
            <ProjectSelect projects={projects} chosen={chosen} onChoose={choose} />
          ) : (
            <ProjectList projects={projects} chosen={chosen?.id} />
          )}
          <div>
            {chosen ? (
              <ProjectDetail key={chosen.id} project={chosen} view={view} onView={setView} onChoose={choose} />
            ) : (
              <Prompt isUnknown={given !== '' && !isFetching} />
            )}
          </div>
        </div>
      )}
      <Suspense fallback={<Loading />}>
        {creating && <Project onSaved={choose} onClose={() => setCreating(false)} />}
      </Suspense>
    </Screen>
  );
}
