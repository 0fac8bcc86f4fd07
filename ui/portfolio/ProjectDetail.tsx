import { Link } from 'react-router-dom';
import type { ReactNode } from 'react';
import type { ProjectView } from '../../src/shared/portfolio/projects.ts';
import { useT } from '../kit/language.ts';
import { AutoTransferNotes } from '../transfers/AutoTransferNotes.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { ListTools } from '../kit/list/ListTools.tsx';
import { useListLayout } from '../kit/list/useListLayout.ts';
import { useSeenFile } from '../kit/list/useSeenFile.ts';
import type { Column } from '../kit/table/DataTable.tsx';
import { useManagedDomains } from './managedDomains.tsx';
import { ProjectDomains, useProjectRows } from './ProjectDomains.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { T } from '../kit/T.tsx';
import { useProjectActs } from './projectActs.tsx';

/** The search in a project and the sorting of its two tables; kept in the URL. */
export interface ProjectSearch {
  search: string;
  sort: string;
  reserve_sort: string;
}

interface ProjectDetailProps {
  project: ProjectView;
  view: ProjectSearch;
  onView: (change: Partial<ProjectSearch>) => void;
  /** Opens a project; undefined opens none. */
  onChoose: (id: number | undefined) => void;
}

// The project column would repeat the same value in every row.
const WITHOUT = ['project'];

// Both tables are in one file: that of a row is told by its type, also where that column is hidden.
const ofFile = <Row,>({ only, ...column }: Column<Row>): Column<Row> =>
  only === undefined || column.id === 'type' ? column : { ...column, only };

/** The main domains of a project and its reserves, with one search, and one file of what is seen. */
export function Tables({ project, view, onView }: Omit<ProjectDetailProps, 'onChoose'>) {
  const t = useT();
  const { columns, dialogs } = useManagedDomains({ filter: 'all', without: WITHOUT, place: 'project' });
  const layout = useListLayout('project_domains', columns);
  const of = { projectId: project.id, search: view.search };
  const main = useProjectRows({ ...of, type: 'main', sort: view.sort });
  const reserve = useProjectRows({ ...of, type: 'transfer', sort: view.reserve_sort });
  const seen = useSeenFile('project_domains', [main, reserve], layout.columns.map(ofFile));
  const common = {
    columns: layout.columns,
    density: layout.settings.density,
    isLoading: layout.isPending,
    search: view.search,
  };
  return (
    <>
      <div className="list-line">
        <SearchField label={t('projects.find_domain')} value={view.search} onChange={(search) => onView({ search })} />
        <ListTools layout={layout} csv={seen} />
      </div>
      <ProjectDomains {...common} type="main" source={main} sort={view.sort} onSort={(sort) => onView({ sort })} />
      <ProjectDomains
        {...common}
        type="transfer"
        source={reserve}
        sort={view.reserve_sort}
        onSort={(reserve_sort) => onView({ reserve_sort })}
      />
      {dialogs}
    </>
  );
}

/** Stands in place of the domains of a project that has none. */
export function NoDomains({ add }: { add: ReactNode }) {
  return (
    <EmptyState
      action={
        <div className="screen-actions">
          {add}
          <Link to="/import" className="bp6-button">
            <T k="projects.import" />
          </Link>
        </div>
      }
    >
      <T k="projects.empty" />
    </EmptyState>
  );
}

/** One project: its actions and its domains. */
export function ProjectDetail({ project, view, onView, onChoose }: ProjectDetailProps) {
  const t = useT();
  const { add, others, dialogs } = useProjectActs(project, onChoose);
  const hasDomains = project.main_count + project.transfer_count > 0;
  return (
    <>
      <div className="screen-head">
        <h2 className="bp6-heading project-title">
          <Link to={`/projects/${project.id}`} title={t('project_page.open')}>
            {project.name}
          </Link>
        </h2>
        <div className="screen-actions">
          {hasDomains && add}
          {others}
        </div>
      </div>
      <AutoTransferNotes project={project.id} />
      {hasDomains ? <Tables project={project} view={view} onView={onView} /> : <NoDomains add={add} />}
      {dialogs}
    </>
  );
}
