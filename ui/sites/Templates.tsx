import { AnchorButton, Button, Tag } from '@blueprintjs/core';
import { AddIcon, DownloadIcon, FolderOpenIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useId, useState, type MouseEvent, type ReactNode } from 'react';
import type { TemplateView } from '../../src/shared/sites/templates.ts';
import { call, useCall } from '../kit/api.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { RowActions } from '../kit/table/RowActions.tsx';
import { useRowKeys } from '../kit/table/rowKeys.ts';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { Remove } from '../kit/dialog/Remove.tsx';
import { useFormats, useT } from '../kit/language.ts';
import '../accounts/Accounts.css';
import './Templates.css';
import { Loading } from '../kit/Loading.tsx';

const Template = lazy(async () => ({ default: (await import('./Template.tsx')).Template }));
const TemplateFiles = lazy(async () => ({ default: (await import('./TemplateFiles.tsx')).TemplateFiles }));

/** A template with what every server tells of it, and more where it does. */
type Told = Pick<TemplateView, 'id' | 'name' | 'file_path'> & Partial<TemplateView>;

/** Downloads a template through a fresh link: the one on the page may have expired. Returns false if it has no file. */
async function follow(id: number): Promise<boolean> {
  const { data } = await call('GET /api/templates');
  const path = data.find((template) => template.id === id)?.file_path;
  if (!path) return false;
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
  return true;
}

function Download({ template: { id, name, file_path } }: { template: Told }) {
  const t = useT();
  const download = async (event: MouseEvent): Promise<void> => {
    event.preventDefault();
    try {
      if (!(await follow(id))) toast.error(t('template.no_path'));
    } catch (error) {
      toastFailure(t('templates.download_failed'), error);
    }
  };
  return (
    <AnchorButton
      size="small"
      icon={<DownloadIcon />}
      text={<T k="templates.download" />}
      aria-label={t('sites.action_on', { action: t('templates.download'), name })}
      href={file_path ?? '#'}
      onClick={(event) => void download(event)}
    />
  );
}

function Facts({ template: { file_name, size, files, updated_at } }: { template: Told }) {
  const formats = useFormats();
  return (
    <dl>
      <div>
        <dt>
          <T k="templates.file" />
        </dt>
        <dd translate="no">{file_name || '—'}</dd>
      </div>
      <div>
        <dt>
          <T k="templates.size" />
        </dt>
        <dd>
          {size === undefined ? '—' : formats.bytes(size)}
          {files !== undefined && (
            <>
              , <T k="templates.count" n={files} />
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>
          <T k="templates.updated" />
        </dt>
        <dd>{updated_at === undefined ? '—' : formats.date(updated_at)}</dd>
      </div>
    </dl>
  );
}

interface CardProps {
  template: Told;
  onFiles: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function TemplateCard({ template, onFiles, onEdit, onRemove }: CardProps) {
  const id = useId();
  const t = useT();
  const { name, domains, placeholders, can_edit = true } = template;
  return (
    <article className="card" aria-labelledby={id}>
      <header>
        <h2 id={id} className="bp6-heading card-title">
          {name}
        </h2>
        {domains !== undefined && (
          <Tag minimal>
            <T k="templates.used" n={domains} />
          </Tag>
        )}
      </header>
      <Facts template={template} />
      <div className="template-placeholders">
        {placeholders?.length === 0 && (
          <span className="muted">
            <T k="templates.no_placeholders" />
          </span>
        )}
        {placeholders?.map((placeholder) => (
          <Tag key={placeholder} minimal translate="no">
            {placeholder}
          </Tag>
        ))}
      </div>
      <footer className="card-actions icon-actions">
        <Download template={template} />
        <Button
          size="small"
          icon={<FolderOpenIcon />}
          text={<T k="templates.files" />}
          aria-label={t('sites.action_on', { action: t('templates.files'), name })}
          onClick={onFiles}
        />
        <RowActions row={{ ...template, can_edit }} onEdit={onEdit} onRemove={onRemove} />
      </footer>
    </article>
  );
}

type Opened = { kind: 'form' | 'files' | 'remove'; template?: TemplateView };

interface ListProps {
  templates: readonly TemplateView[];
  add: ReactNode;
  onOpen: (opened: Opened) => void;
}

function TemplateList({ templates, add, onOpen }: ListProps) {
  if (templates.length === 0) {
    return (
      <EmptyState action={add}>
        <T k="templates.empty" />
      </EmptyState>
    );
  }
  return (
    <ul className="account-grid">
      {templates.map((template) => (
        <li key={template.id}>
          <TemplateCard
            template={template}
            onFiles={() => onOpen({ kind: 'files', template })}
            onEdit={() => onOpen({ kind: 'form', template })}
            onRemove={() => onOpen({ kind: 'remove', template })}
          />
        </li>
      ))}
      <li>
        <Button
          className="add-card"
          variant="outlined"
          icon={<AddIcon />}
          text={<T k="templates.add" />}
          onClick={() => onOpen({ kind: 'form' })}
        />
      </li>
    </ul>
  );
}

/** The site templates as cards. */
export function Templates() {
  const t = useT();
  const { data, error, refetch } = useCall('GET /api/templates');
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  const add = (
    <Button
      intent="primary"
      icon={<AddIcon />}
      text={<T k="templates.add" />}
      onClick={() => setOpened({ kind: 'form' })}
    />
  );
  useRowKeys(data?.data ?? [], {
    add: () => setOpened({ kind: 'form' }),
    edit: (template) => setOpened({ kind: 'form', template }),
    remove: (template) => setOpened({ kind: 'remove', template }),
  });
  const { kind, template } = opened ?? {};
  return (
    <Screen title="nav.templates" actions={add}>
      {error && !data && (
        <Failed sentence="templates.list_failed" reason={error.message} retry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton label={t('ui.loading')} />}
      {data && <TemplateList templates={data.data} add={add} onOpen={setOpened} />}
      <Suspense fallback={<Loading />}>
        {kind === 'form' && <Template template={template} onClose={close} />}
        {kind === 'files' && template && <TemplateFiles template={template} onClose={close} />}
      </Suspense>
      {kind === 'remove' && template && (
        <Remove
          title={<T k="templates.remove_title" name={template.name} n={template.domains ?? 0} />}
          failed={t('templates.delete_failed')}
          lists={['GET /api/templates']}
          remove={() => call('DELETE /api/templates/:id', { params: { id: template.id } })}
          onClose={close}
        />
      )}
    </Screen>
  );
}
