import { Button, Callout } from '@blueprintjs/core';
import { useState } from 'react';
import type { ServerView } from '../../src/shared/accounts/servers.ts';
import { call, refresh } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

type Decision = { accept: string } | { dismiss: true };

/** The buttons of an admin: accept the changed key that is shown, or dismiss it. */
function Decide({ server: { id, name }, seen }: { server: ServerView; seen: string }) {
  const t = useT();
  const [busy, setBusy] = useState<'accept' | 'dismiss'>();
  const decide = async (body: Decision): Promise<void> => {
    setBusy('accept' in body ? 'accept' : 'dismiss');
    try {
      const { message } = await call('POST /api/servers/:id/host_key', { params: { id }, body });
      toast.success(message);
    } catch (error) {
      toastFailure(t('servers.decide_failed'), error);
    }
    // After a failure too: the server may have shown yet another key meanwhile.
    await refresh('GET /api/servers');
    setBusy(undefined);
  };
  const label = (action: string): string => t('sites.action_on', { action, name });
  return (
    <div className="changed-key-acts">
      <BusyButton
        intent="danger"
        busy={busy === 'accept'}
        disabled={busy === 'dismiss'}
        text={<T k="servers.accept_key" />}
        aria-label={label(t('servers.accept_key'))}
        onClick={() => void decide({ accept: seen })}
      />
      <Button
        disabled={busy !== undefined}
        text={<T k="servers.keep_key" />}
        aria-label={label(t('servers.keep_key'))}
        onClick={() => void decide({ dismiss: true })}
      />
    </div>
  );
}

function Print({ value, name }: { value: string; name: string }) {
  return (
    <dd>
      <code translate="no">{value}</code> <CopyIcon text={value} name={name} />
    </dd>
  );
}

/**
 * Warns that a server has shown another host key than the stored one; nothing works on it until an admin has decided.
 */
export function ChangedKey({ server }: { server: ServerView }) {
  const t = useT();
  const isAdmin = useSession().user?.role === 'admin';
  const { name, host_key: known, host_key_seen: seen } = server;
  if (seen === null) return null;
  return (
    <Callout intent="danger" role="alert" className="changed-key">
      <h2 className="bp6-heading">{t('servers.key_changed_title', { name })}</h2>
      <T k="servers.key_changed_text" />
      <dl>
        <dt>
          <T k="servers.key_known" />
        </dt>
        <Print value={known ?? ''} name={`${t('servers.key_known')} ${name}`} />
        <dt>
          <T k="servers.key_seen" />
        </dt>
        <Print value={seen} name={`${t('servers.key_seen')} ${name}`} />
      </dl>
      {isAdmin ? <Decide server={server} seen={seen} /> : <T k="servers.admin_decides" />}
    </Callout>
  );
}
