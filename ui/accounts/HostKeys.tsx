import { Button, Callout } from '@blueprintjs/core';
import { useState } from 'react';
import { hostOf, portOf, type ServerView } from '../../src/shared/accounts/servers.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import './HostKeys.css';

interface ServerProps {
  account: ServerView;
}

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
export function ChangedKey({ account: server }: ServerProps) {
  const t = useT();
  const isAdmin = useSession().user?.role === 'admin';
  const { name, host_key: known, host_key_seen: seen } = server;
  if (!seen) return null;
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

const SHOWN = 12;

/** Shows the beginning of a host key, enough to tell two apart; the button copies the whole key. */
export function HostKey({ account: { host_key, name } }: ServerProps) {
  const t = useT();
  if (!host_key) return null;
  const [type = '', print = ''] = host_key.split(' SHA256:');
  return (
    <span className="secret">
      <code translate="no" title={host_key}>
        {type.replace(/^ssh-/, '')} {print.slice(0, SHOWN)}…
      </code>
      <CopyIcon text={host_key} name={`${t('servers.host_key')} ${name}`} />
    </span>
  );
}

// A user name with characters special to a shell gets no copyable command: pasting it could run something else.
const PLAIN_USER = /^[\w.][\w.-]*$/;

/** Returns the `ssh` command that logs in to a server. */
function sshCommand({ ssh_host, ssh_user }: ServerView): string {
  const port = portOf(ssh_host);
  return `ssh ${port === 22 ? '' : `-p ${port} `}${ssh_user}@${hostOf(ssh_host)}`;
}

/** Shows the host, with a button that copies the `ssh` command. */
export function Host({ account }: ServerProps) {
  const { ssh_host, ssh_user } = account;
  const command = sshCommand(account);
  return (
    <span className="secret">
      <code translate="no">{ssh_host}</code>
      {PLAIN_USER.test(ssh_user) && <CopyIcon text={command} name={command} />}
    </span>
  );
}

/** The help of the host's field: names the other servers with the same host, which is allowed. */
export function HostHelp({ value, id }: { value: string; id: number | undefined }) {
  const { data } = useCall('GET /api/servers');
  const host = hostOf(value.trim().toLowerCase());
  const twins = (data?.data ?? []).filter((other) => host !== '' && other.id !== id && hostOf(other.ssh_host) === host);
  if (twins.length === 0) return <T k="servers.host_help" />;
  return <T k="servers.twins" names={twins.map(({ name }) => name).join(', ')} />;
}
