import { Callout, Classes, FileInput, Intent } from '@blueprintjs/core';
import { useId, useState, type ChangeEvent } from 'react';
import type { BlocklistStatus } from '../../src/shared/checks/blocklist.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import { ListDecisions } from './ListDecisions.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import './BlocklistLine.css';

/**
 * Uploads a blocklist. The server refuses a broken one and holds one that differs much; the old one stays in both
 * cases.
 */
function Upload() {
  const t = useT();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const send = async (file: File): Promise<void> => {
    const body = new FormData();
    body.set('blocklist_file', file);
    setBusy(true);
    try {
      await call('POST /api/blocklist', { body });
      await refresh('GET /api/blocklist');
      toast.success(t('dashboard.list_uploaded'));
    } catch (error) {
      toastFailure(t('dashboard.list_upload_failed'), error);
      // A list that differs too much is held: `ListDecisions` then shows it.
      await refresh('GET /api/blocklist');
    }
    setBusy(false);
  };
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (file) void send(file);
  };
  return (
    <div className="blocklist-upload">
      <FileInput
        disabled={busy}
        text={t(busy ? 'ui.loading' : 'dashboard.list_upload')}
        buttonText={t('ui.browse')}
        inputProps={{ onChange, 'aria-label': t('dashboard.list_upload'), 'aria-describedby': id }}
      />
      <div id={id} className={`${Classes.TEXT_SMALL} muted`}>
        <T k="dashboard.list_file_help" />
      </div>
    </div>
  );
}

function Problem({ list }: { list: BlocklistStatus }) {
  const isAdmin = useSession().user?.role === 'admin';
  return (
    <Callout intent={Intent.WARNING} className="dashboard-note">
      <p>
        {list.age_hours !== null && <T k="dashboard.list_stale" hours={Math.round(list.age_hours)} />}
        {list.state === 'missing' && <T k="dashboard.list_missing" />}
        {list.state === 'damaged' && <T k="dashboard.list_damaged" />}
        {!isAdmin && (
          <>
            {' '}
            <T k="dashboard.list_ask_admin" />
          </>
        )}
      </p>
      {isAdmin && <Upload />}
    </Callout>
  );
}

/** Shows the age and size of the blocklist; without a fresh one, states are unknown and it says what to do. */
export function BlocklistLine() {
  const formats = useFormats();
  const { data: list } = useCall('GET /api/blocklist');
  if (!list) return null;
  const decisions = <ListDecisions doubt={list.doubt} former={list.former} />;
  if (list.state !== 'fresh') {
    return (
      <>
        <Problem list={list} />
        {decisions}
      </>
    );
  }
  const { exact, mask } = list.entries;
  return (
    <>
      <p className="muted dashboard-note">
        <T k="dashboard.list_fresh" n={exact + mask} ago={formats.ago(list.updated_at ?? list.fetched_at)} />
      </p>
      {decisions}
    </>
  );
}
