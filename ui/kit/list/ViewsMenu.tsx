import { Button, Classes, InputGroup } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { ListView } from '../../../src/shared/access/list-views.ts';
import { call, messageOf, refresh } from '../api.ts';
import { useCopy } from '../CopyButton.tsx';
import { Popover } from '../float/Popover.tsx';
import { IconAction } from '../IconAction.tsx';
import { ChevronDownIcon, ClipboardIcon, EditIcon, TrashIcon } from '../icons.tsx';
import { useT } from '../language.ts';
import { T } from '../T.tsx';
import { toastFailure } from '../toasts.tsx';
import { queryOfView } from './layout.ts';
import type { ListLayout } from './useListLayout.ts';

interface NameFormProps {
  label: string;
  button: 'views.save' | 'views.rename_save';
  value?: string;
  /** Throws what the server refuses. */
  onSave: (name: string) => Promise<void>;
}

/** The field of a view's name with its button; what is refused is said under it. */
function NameForm({ label, button, value = '', onSave }: NameFormProps) {
  const t = useT();
  const [name, setName] = useState(value);
  const [refused, refuse] = useState('');
  const [isBusy, setBusy] = useState(false);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // One press is one view.
    if (isBusy) return;
    setBusy(true);
    refuse('');
    try {
      await onSave(name);
      setName(value);
    } catch (error) {
      refuse(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <form className="view-name" onSubmit={(event) => void save(event)}>
      <InputGroup
        size="small"
        aria-label={label}
        placeholder={t('views.name')}
        maxLength={60}
        value={name}
        intent={refused === '' ? 'none' : 'danger'}
        onValueChange={setName}
      />
      <Button size="small" type="submit" disabled={name.trim() === ''} text={<T k={button} />} />
      {refused !== '' && (
        <p role="alert" className="bad">
          {refused}
        </p>
      )}
    </form>
  );
}

const refreshViews = (): Promise<void> => refresh('GET /api/list_settings/:list');

function ViewLine({ view, isOpen }: { view: ListView; isOpen: boolean }) {
  const t = useT();
  const { pathname } = useLocation();
  const [isRenamed, setRenamed] = useState(false);
  const copy = useCopy(`${window.location.origin}${pathname}?${view.query}`);
  const remove = async (): Promise<void> => {
    try {
      await call('DELETE /api/list_views/:id', { params: { id: view.id } });
    } catch (error) {
      toastFailure(t('views.not_removed'), error);
    }
    await refreshViews();
  };
  if (isRenamed) {
    return (
      <li>
        <NameForm
          label={t('views.rename')}
          button="views.rename_save"
          value={view.name}
          onSave={async (name) => {
            await call('POST /api/list_views/:id', { params: { id: view.id }, body: { name } });
            await refreshViews();
            setRenamed(false);
          }}
        />
      </li>
    );
  }
  return (
    <li>
      <Link
        to={{ search: view.query }}
        className={`${Classes.MENU_ITEM} ${Classes.POPOVER_DISMISS}`}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span className={Classes.FILL} translate="no">
          {view.name}
        </span>
      </Link>
      <IconAction icon={<ClipboardIcon />} action={t('views.copy')} name={view.name} onClick={() => void copy()} />
      <IconAction icon={<EditIcon />} action={t('views.rename')} name={view.name} onClick={() => setRenamed(true)} />
      <IconAction icon={<TrashIcon />} action={t('views.remove')} name={view.name} onClick={() => void remove()} />
    </li>
  );
}

/** The person's views of a list: a view is the query of an address under a name, so that its link shows it to others, too. */
export function ViewsMenu<Row>({ layout, fields }: { layout: ListLayout<Row>; fields: readonly string[] }) {
  const t = useT();
  const { search } = useLocation();
  const { list, chosen, settings } = layout;
  const query = queryOfView(search, fields);
  const open = settings.views.find((view) => view.query === query);
  const save = async (name: string): Promise<void> => {
    const shown = new URLSearchParams(query);
    if (chosen) shown.set('columns', chosen.join('.'));
    await call('POST /api/list_views', { body: { list, name, query: shown.toString() } });
    await refreshViews();
  };
  const content = (
    <div className="list-menu">
      {settings.views.length === 0 ? (
        <p className="list-menu-note">
          <T k="views.none" />
        </p>
      ) : (
        <ul className="view-lines">
          {settings.views.map((view) => (
            <ViewLine key={view.id} view={view} isOpen={view === open} />
          ))}
        </ul>
      )}
      <NameForm label={t('views.save_as')} button="views.save" onSave={save} />
    </div>
  );
  return (
    <Popover content={content} align="start">
      {(target) => (
        <Button
          {...target}
          variant="minimal"
          endIcon={<ChevronDownIcon />}
          text={open ? <span translate="no">{open.name}</span> : <T k="views.title" />}
        />
      )}
    </Popover>
  );
}
