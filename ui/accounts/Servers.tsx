import { Button, Switch } from '@blueprintjs/core';
import { AddIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { hostOf, portOf, type ServerView } from '../../src/shared/accounts/servers.ts';
import { call, useCall } from '../kit/api.ts';
import { ChangedKey } from './ChangedKey.tsx';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { RowActions } from '../kit/table/RowActions.tsx';
import { useRowKeys } from '../kit/table/rowKeys.ts';
import { Screen } from '../kit/Screen.tsx';
import { SecretText } from '../kit/table/SecretText.tsx';
import { ServerState } from './ServerState.tsx';
import { T } from '../kit/T.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { Remove } from '../kit/dialog/Remove.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';

const Server = lazy(async () => ({ default: (await import('./Server.tsx')).Server }));

const HIDDEN = 'secrets-hidden';

const source: RowsSource<ServerView> = {
  key: ['GET /api/servers'],
  load: async ({ limit, offset }, signal) => {
    const { data } = await call('GET /api/servers', { signal });
    return { data: data.slice(offset, offset + limit), total: data.length };
  },
};

// A user name with characters special to a shell gets no copyable command: pasting it could run something else.
const PLAIN_USER = /^[\w.][\w.-]*$/;

/** Returns the `ssh` command that logs in to a server. */
function sshCommand({ ssh_host, ssh_user }: ServerView): string {
  const port = portOf(ssh_host);
  return `ssh ${port === 22 ? '' : `-p ${port} `}${ssh_user}@${hostOf(ssh_host)}`;
}

/** Shows the host, with a button that copies the `ssh` command. */
function Host({ server }: { server: ServerView }) {
  const { ssh_host, ssh_user } = server;
  return (
    <span className="secret">
      <code translate="no">{ssh_host}</code>
      {PLAIN_USER.test(ssh_user) && <CopyIcon text={sshCommand(server)} name={sshCommand(server)} />}
    </span>
  );
}

/** Shows how many domains a server has, as a link to them. */
function Domains({ server: { id, domains } }: { server: ServerView }) {
  const count = useFormats().number(domains);
  return domains === 0 ? <>{count}</> : <Link to={`/sites?server=${id}`}>{count}</Link>;
}

/** Shows a password; a private key is replaced by a label, because it would fill the screen. */
function Secret({ server: { ssh_password, name }, isHidden }: { server: ServerView; isHidden: boolean }) {
  if (ssh_password.trimStart().startsWith('-----BEGIN ')) {
    return (
      <span className="secret">
        <T k="servers.private_key" />
        <CopyIcon text={ssh_password} name={name} />
      </span>
    );
  }
  return <SecretText key={String(isHidden)} value={ssh_password} name={name} open={!isHidden} />;
}

interface Acts {
  isHidden: boolean;
  onEdit: (server: ServerView) => void;
  onRemove: (server: ServerView) => void;
}

const columnsOf = ({ isHidden, onEdit, onRemove }: Acts): Column<ServerView>[] => [
  { id: 'name', header: 'team.name', card: 'title', cell: ({ name }) => name },
  { id: 'host', header: 'servers.ip', cell: (server) => <Host server={server} /> },
  { id: 'user', header: 'servers.user', cell: ({ ssh_user }) => <span translate="no">{ssh_user}</span> },
  {
    id: 'password',
    header: 'servers.password',
    cell: (server) => <Secret server={server} isHidden={isHidden} />,
  },
  { id: 'domains', header: 'servers.domains', cell: (server) => <Domains server={server} /> },
  { id: 'state', header: 'servers.state', cell: (server) => <ServerState server={server} /> },
  {
    id: 'actions',
    header: 'team.actions',
    cell: (server) => <RowActions row={server} onEdit={() => onEdit(server)} onRemove={() => onRemove(server)} />,
  },
];

/** The servers. Passwords are shown in clear unless hidden; this browser remembers the choice. */
export function Servers() {
  const t = useT();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const [editing, setEditing] = useState<ServerView | 'new'>();
  const [removing, setRemoving] = useState<ServerView>();
  const columns = useMemo(() => columnsOf({ isHidden, onEdit: setEditing, onRemove: setRemoving }), [isHidden]);
  const { data } = useCall('GET /api/servers');
  useRowKeys(data?.data ?? [], { add: () => setEditing('new'), edit: setEditing, remove: setRemoving });
  const hide = (hidden: boolean): void => {
    setHidden(hidden);
    if (hidden) localStorage.setItem(HIDDEN, '1');
    else localStorage.removeItem(HIDDEN);
  };
  const add = (
    <Button intent="primary" icon={<AddIcon />} text={<T k="servers.add" />} onClick={() => setEditing('new')} />
  );
  return (
    <Screen title="nav.servers" actions={add}>
      <Switch
        checked={isHidden}
        labelElement={<T k="servers.hide_secrets" />}
        onChange={(event) => hide(event.currentTarget.checked)}
      />
      {data && data.data.length > 0 && (
        <h2 className="bp6-heading found">
          <T k="servers.count" n={data.data.length} />
        </h2>
      )}
      {data?.data.map((server) => (
        <ChangedKey key={server.id} server={server} />
      ))}
      <DataTable
        height="page"
        label={t('nav.servers')}
        source={source}
        columns={columns}
        failed="servers.list_failed"
        empty={
          <EmptyState action={add}>
            <T k="servers.empty" />
          </EmptyState>
        }
      />
      <Suspense fallback={<Loading />}>
        {editing && <Server server={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
      </Suspense>
      {removing && (
        <Remove
          title={<T k="servers.remove_title" name={removing.name} n={removing.domains} />}
          failed={t('servers.delete_failed')}
          lists={['GET /api/servers']}
          remove={() => call('DELETE /api/servers/:id', { params: { id: removing.id } })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Screen>
  );
}
