import { Button } from '@blueprintjs/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { ProjectView } from '../../src/shared/portfolio/projects.ts';
import { call, refresh } from '../kit/api.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { removeWithUndo } from '../kit/dialog/removal.ts';
import { AddIcon, EditIcon, SettingsIcon, SwapHorizontalIcon, TrashIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { T } from '../kit/T.tsx';
import { useKeys } from '../kit/useKeys.ts';

const Project = lazy(async () => ({ default: (await import('./Project.tsx')).Project }));
const AutoTransfer = lazy(async () => ({ default: (await import('../transfers/AutoTransfer.tsx')).AutoTransfer }));
const AutoBuy = lazy(async () => ({ default: (await import('./AutoBuy.tsx')).AutoBuy }));
const BuyReserve = lazy(async () => ({ default: (await import('./BuyReserve.tsx')).BuyReserve }));
const NewDomain = lazy(async () => ({ default: (await import('../domains/Domain.tsx')).NewDomain }));

/** Opens a project; undefined opens none. */
type Choose = (id: number | undefined) => void;

/** Returns a function that deletes a project and offers an undo; its domains stay, without a project. */
function useDeletion({ id }: ProjectView, onChoose: Choose): () => Promise<void> {
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

type Dialog = 'add' | 'rename' | 'delete' | 'auto' | 'buy' | 'buy_now';

interface ProjectActs {
  /** Adds a domain to the project. */
  add: ReactNode;
  /** All other acts. */
  others: ReactNode;
  /** To be rendered once, after the acts. */
  dialogs: ReactNode;
  open: (dialog: Dialog) => void;
}

/** Returns what can be done with a project, as buttons with their dialogs; `N` adds a domain. */
export function useProjectActs(project: ProjectView, onChoose: Choose): ProjectActs {
  const [dialog, open] = useState<Dialog>();
  const remove = useDeletion(project, onChoose);
  const close = (): void => open(undefined);
  const domains = project.main_count + project.transfer_count;
  useKeys({ KeyN: () => open('add') });
  const add = (
    <Button intent="primary" icon={<AddIcon />} text={<T k="projects.add_domain" />} onClick={() => open('add')} />
  );
  const others = (
    <>
      {project.main_count > 0 && (
        <Button icon={<SwapHorizontalIcon />} text={<T k="auto_transfer.button" />} onClick={() => open('auto')} />
      )}
      {project.main_count > 0 && (
        <Button icon={<AddIcon />} text={<T k="auto_buy.run_button" />} onClick={() => open('buy_now')} />
      )}
      <Button icon={<SettingsIcon />} text={<T k="auto_buy.button" />} onClick={() => open('buy')} />
      <Button icon={<EditIcon />} text={<T k="projects.rename" />} onClick={() => open('rename')} />
      <Button
        icon={<TrashIcon />}
        text={<T k="projects.delete" />}
        onClick={() => (domains === 0 ? void remove() : open('delete'))}
      />
    </>
  );
  const dialogs = (
    <>
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
  return { add, others, dialogs, open };
}
