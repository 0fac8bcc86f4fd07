import { Link, useNavigate, useParams } from 'react-router-dom';
import type { ProjectPage as Page } from '../../src/shared/timeline/project-page.ts';
import { projectSentence } from '../../src/shared/timeline/project-page.ts';
import { Sentence } from '../domain/StateSentence.tsx';
import { ApiError, useCall } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { ChevronRightIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { BareScreen, useTitleText } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { AutoTransferNotes } from '../transfers/AutoTransferNotes.tsx';
import { transferPath } from '../operations/transferPath.ts';
import { useProjectActs } from '../portfolio/projectActs.tsx';
import { NoDomains } from '../portfolio/ProjectDetail.tsx';
import { ProjectFactsBand } from './ProjectFactsBand.tsx';
import { ProjectTabs } from './ProjectTabs.tsx';
import '../domain/page.css';
import '../domain/DomainPage.css';
import '../portfolio/Projects.css';

/** Stands in place of a project that is not there for the reader. */
function Missing({ name }: { name: string }) {
  const t = useT();
  return (
    <BareScreen title={t('project_page.missing', { name })}>
      <EmptyState
        action={
          <Link to="/projects">
            <T k="nav.projects" />
          </Link>
        }
      >
        <T k="project_page.missing_text" />
      </EmptyState>
    </BareScreen>
  );
}

function Loaded({ page }: { page: Page }) {
  const t = useT();
  const navigate = useNavigate();
  const { project, moving } = page;
  useTitleText(project.name);
  const { add, others, dialogs, open } = useProjectActs(
    project,
    (id) => void navigate(id === undefined ? '/projects' : `/projects/${id}`),
  );
  const hasDomains = project.main_count + project.transfer_count > 0;
  return (
    <>
      <nav className="domain-way" aria-label={t('project_page.way')}>
        <Link to={`/projects?project=${project.id}`}>
          <T k="nav.projects" />
        </Link>
        <ChevronRightIcon size={12} />
        <span aria-current="page">{project.name}</span>
      </nav>
      <div className="screen-head domain-head">
        <div className="domain-title">
          <h1 className="bp6-heading">{project.name}</h1>
        </div>
        <div className="screen-actions">
          {others}
          {hasDomains && add}
        </div>
        <p className="domain-sentence">
          <Sentence clauses={projectSentence(page)} />.
        </p>
      </div>
      <AutoTransferNotes project={project.id} />
      {moving.map((id) => (
        <p key={id}>
          <Link to={transferPath(id)}>
            <T k="project_page.moving" id={String(id)} />
          </Link>
        </p>
      ))}
      <ProjectFactsBand page={page} />
      {hasDomains ? <ProjectTabs page={page} onBuying={() => open('buy')} /> : <NoDomains add={add} />}
      {dialogs}
    </>
  );
}

/** The project that its path names, by its id or its name: its state, its domains, its past, its positions and purchases. */
export function ProjectPage() {
  const t = useT();
  const { ref = '' } = useParams();
  const { data, error, refetch } = useCall('GET /api/project_pages/:ref', { params: { ref } });
  if (error instanceof ApiError && error.status === 404) return <Missing name={ref} />;
  if (data) return <Loaded key={data.data.project.id} page={data.data} />;
  return (
    <BareScreen title={t('project_page.state')}>
      {error ? (
        <Failed sentence="project_page.failed" reason={error.message} retry={() => void refetch()} />
      ) : (
        <Skeleton label={t('ui.loading')} />
      )}
    </BareScreen>
  );
}
