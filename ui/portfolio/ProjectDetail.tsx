import { Button } from '@blueprintjs/core';
import { AddIcon, EditIcon, SettingsIcon, SwapHorizontalIcon, TrashIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { ProjectView } from '../../src/shared/portfolio/projects.ts';
import { call, refresh } from '../kit/api.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { useT } from '../kit/language.ts';
import { AutoTransferNotes } from '../transfers/AutoTransferNotes.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useManagedDomains } from './managedDomains.tsx';
import { ProjectDomains } from './ProjectDomains.tsx';
import { removeWithUndo } from '../kit/dialog/removal.ts';
import { SearchField } from '../kit/form/SearchField.tsx';
import { T } from '../kit/T.tsx';
import { useKeys } from '../kit/useKeys.ts';
import { Loading } from '../kit/Loading.tsx';

const Project = lazy(async () => ({ default: (await import('./Project.tsx')).Project }));
const AutoTransfer = lazy(async () => ({ default: (await import('../transfers/AutoTransfer.tsx')).AutoTransfer }));
const AutoBuy = lazy(async () => ({ default: (await import('./AutoBuy.tsx')).AutoBuy }));
const BuyReserve = lazy(async () => ({ default: (await import('./BuyReserve.tsx')).BuyReserve }));
const NewDomain = lazy(async () => ({ default: (await import('../domains/Domain.tsx')).NewDomain }));

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

/** Returns a function that deletes a project and offers an undo; its domains stay, without a project. */
function useDeletion({ id }: ProjectView, onChoose: ProjectDetailProps['onChoose']): () => Promise<void> {
  const t = useT();
  const params = { id };
  return async () => {
    await removeWithUndo({
      remove: async () => {
        const answer = await call('DELETE /api/projects/:id', { params });
        onChoose(undefined);
        return answer;
      },
      restore: async () => {
        await call('POST /api/projects/:id/restore', { params, body: {} });
        onChoose(id);
      },
      // Not the project's own tables: they are being unmounted, and the server answers 404 for them.
      refresh: () =>
        refresh(
          'GET /api/user_projects',
          'GET /api/domains',
          'GET /api/domains/:id',
          'GET /api/user_domains',
          'GET /api/dashboard',
        ),
      words: { failed: t('projects.delete_failed'), undo: t('projects.undo'), undoFailed: t('projects.undo_failed') },
      place: 'project',
    });
  };
}

function Tables({ project, view, onView }: Omit<ProjectDetailProps, 'onChoose'>) {
  const t = useT();
  const { columns, dialogs } = useManagedDomains({ filter: 'all', without: WITHOUT, place: 'project' });
  const common = { projectId: project.id, columns, search: view.search };
  return (
    <>
      <SearchField label={t('projects.find_domain')} value={view.search} onChange={(search) => onView({ search })} />
      <ProjectDomains {...common} type="main" sort={view.sort} onSort={(sort) => onView({ sort })} />
      <ProjectDomains
        {...common}
        type="transfer"
        sort={view.reserve_sort}
        onSort={(reserve_sort) => onView({ reserve_sort })}
      />
      {dialogs}
    </>
  );
}

type Dialog = 'add' | 'rename' | 'delete' | 'auto' | 'buy' | 'buy_now';

interface HeadProps {
  project: ProjectView;
  /** The button that adds a domain; absent while the empty list shows it. */
  add: ReactNode;
  onOpen: (dialog: Dialog) => void;
  onDelete: () => void;
}

function Head({ project, add, onOpen, onDelete }: HeadProps) {
  return (
    <div className="screen-head">
      <h2 className="bp6-heading project-title">{project.name}</h2>
      <div className="screen-actions">
        {add}
        {project.main_count > 0 && (
          <Button icon={<SwapHorizontalIcon />} text={<T k="auto_transfer.button" />} onClick={() => onOpen('auto')} />
        )}
        {project.main_count > 0 && (
          <Button icon={<AddIcon />} text={<T k="auto_buy.run_button" />} onClick={() => onOpen('buy_now')} />
        )}
        <Button icon={<SettingsIcon />} text={<T k="auto_buy.button" />} onClick={() => onOpen('buy')} />
        <Button icon={<EditIcon />} text={<T k="projects.rename" />} onClick={() => onOpen('rename')} />
        <Button icon={<TrashIcon />} text={<T k="projects.delete" />} onClick={onDelete} />
      </div>
    </div>
  );
}

function NoDomains({ add }: { add: ReactNode }) {
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
  const [dialog, setDialog] = useState<Dialog>();
  const remove = useDeletion(project, onChoose);
  const close = (): void => setDialog(undefined);
  const domains = project.main_count + project.transfer_count;
  useKeys({ KeyN: () => setDialog('add') });
  const add = (
    <Button intent="primary" icon={<AddIcon />} text={<T k="projects.add_domain" />} onClick={() => setDialog('add')} />
  );
  return (
    <>
      <Head
        project={project}
        add={domains > 0 && add}
        onOpen={setDialog}
        onDelete={() => (domains === 0 ? void remove() : setDialog('delete'))}
      />
      <AutoTransferNotes project={project.id} />
      {domains > 0 ? <Tables project={project} view={view} onView={onView} /> : <NoDomains add={add} />}
      <Suspense fallback={<Loading />}>
        {dialog === 'add' && <NewDomain projectId={project.id} place="project" onClose={close} />}
        {dialog === 'auto' && <AutoTransfer project={project} onClose={close} />}
        {dialog === 'buy' && <AutoBuy project={project} onClose={close} />}
        {dialog === 'buy_now' && <BuyReserve project={project} onClose={close} />}
        {dialog === 'rename' && <Project project={project} onClose={close} />}
      </Suspense>
      {dialog === 'delete' && (
        <Confirm
          title={<T k="projects.delete_title" name={project.name} />}
          confirm={<T k="projects.delete" />}
          onCancel={close}
          onConfirm={() => {
            close();
            void remove();
          }}
        >
          <T k="projects.delete_text" n={domains} />
        </Confirm>
      )}
    </>
  );
}
