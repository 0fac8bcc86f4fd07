import { Tag } from '@blueprintjs/core';
import { ErrorIcon, MinusIcon, RefreshIcon, TickIcon } from '../kit/icons.tsx';
import { useState } from 'react';
import type { ServerView } from '../../src/shared/accounts/servers.ts';
import { call, refresh } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { Message, T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import './ServerState.css';

const SHOWN = 12;

/** Shows the beginning of a host key, enough to tell two apart; the button copies the whole key. */
function HostKey({ hostKey, name }: { hostKey: string; name: string }) {
  const t = useT();
  const [type = '', print = ''] = hostKey.split(' SHA256:');
  return (
    <span className="secret">
      <code translate="no" title={hostKey}>
        {type.replace(/^ssh-/, '')} {print.slice(0, SHOWN)}…
      </code>
      <CopyIcon text={hostKey} name={`${t('servers.host_key')} ${name}`} />
    </span>
  );
}

function StateTag({ server: { checked_at, check_error, host_key_seen } }: { server: ServerView }) {
  const formats = useFormats();
  if (host_key_seen !== null) {
    return (
      <Tag minimal intent="danger" icon={<ErrorIcon />}>
        <T k="servers.key_changed" />
      </Tag>
    );
  }
  if (checked_at === null) {
    return (
      <Tag minimal icon={<MinusIcon />}>
        <T k="servers.unchecked" />
      </Tag>
    );
  }
  const title = formats.dateTime(checked_at);
  return check_error === null ? (
    <Tag minimal intent="success" icon={<TickIcon />} htmlTitle={title}>
      <T k="servers.checked" ago={formats.ago(checked_at)} />
    </Tag>
  ) : (
    <Tag minimal intent="danger" icon={<ErrorIcon />} htmlTitle={title}>
      <T k="servers.broken" ago={formats.ago(checked_at)} />
    </Tag>
  );
}

/** Tests the connection to a server and shows the result as a toast. */
export function TestServer({ server: { id, name } }: { server: Pick<ServerView, 'id' | 'name'> }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await call('POST /api/servers/:id/test', { params: { id }, body: {} });
      await refresh('GET /api/servers');
      if (data.ok) toast.success(`${name}: ${data.message}`);
      else toast.error(`${name}: ${data.message}`);
    } catch (error) {
      toastFailure(t('servers.test_failed'), error);
    }
    setBusy(false);
  };
  return (
    <BusyButton
      size="small"
      busy={busy}
      icon={<RefreshIcon />}
      text={<T k="servers.test" />}
      aria-label={t('sites.action_on', { action: t('servers.test'), name })}
      onClick={() => void test()}
    />
  );
}

/** Shows the result of a server's last test and its host key, with a button that tests again. */
export function ServerState({ server }: { server: ServerView }) {
  const { name, host_key, host_key_seen, check_error } = server;
  return (
    <div className="server-state">
      <span className="server-state-line">
        <StateTag server={server} />
        <TestServer server={server} />
      </span>
      {host_key !== null && <HostKey hostKey={host_key} name={name} />}
      {check_error !== null && host_key_seen === null && (
        <span className="bad">
          <Message text={check_error} />
        </span>
      )}
    </div>
  );
}
