import { Tag } from '@blueprintjs/core';
import { lazy, Suspense, useMemo } from 'react';
import type { CloudflareGroupView } from '../../src/shared/accounts/cloudflare-groups.ts';
import { call, useCall } from '../kit/api.ts';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { RowActions } from '../kit/table/RowActions.tsx';
import { T } from '../kit/T.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { Remove } from '../kit/dialog/Remove.tsx';
import { useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { Screen } from '../kit/Screen.tsx';
import { useRowDialogs } from './RowDialogs.tsx';

const CloudflareGroup = lazy(async () => ({
  default: (await import('./CloudflareGroup.tsx')).CloudflareGroup,
}));

// More would not fit the row; the title lists all.
const CHIPS = 7;

function Accounts({ group: { accounts } }: { group: CloudflareGroupView }) {
  if (accounts.length === 0) {
    return (
      <Tag minimal>
        <T k="group.no_accounts" />
      </Tag>
    );
  }
  const rest = accounts.slice(CHIPS).map(({ name }) => name);
  return (
    <span className="tag-list">
      {accounts.slice(0, CHIPS).map(({ id, name }) => (
        <Tag key={id} minimal>
          {name}
        </Tag>
      ))}
      {rest.length > 0 && (
        <Tag minimal htmlTitle={rest.join(', ')}>
          +{rest.length}
          <span className="visually-hidden"> {rest.join(', ')}</span>
        </Tag>
      )}
    </span>
  );
}

const source: RowsSource<CloudflareGroupView> = {
  key: ['GET /api/cloudflare_groups'],
  load: async ({ limit, offset }, signal) => {
    const groups = await call('GET /api/cloudflare_groups', { signal });
    return { data: groups.slice(offset, offset + limit), total: groups.length };
  },
};

const columnsOf = (
  onEdit: (group: CloudflareGroupView) => void,
  onRemove: (group: CloudflareGroupView) => void,
): Column<CloudflareGroupView>[] => [
  { id: 'name', header: 'team.name', card: 'title', cell: ({ name }) => name },
  { id: 'accounts', header: 'group.accounts', cell: (group) => <Accounts group={group} /> },
  {
    id: 'actions',
    header: 'team.actions',
    cell: (group) => <RowActions row={group} onEdit={() => onEdit(group)} onRemove={() => onRemove(group)} />,
  },
];

/** The groups of CDN accounts. */
export function CloudflareGroups() {
  const t = useT();
  const { data } = useCall('GET /api/cloudflare_groups');
  const { add, edited, removed, onEdit, onRemove, close } = useRowDialogs(data, 'group.add');
  const columns = useMemo(() => columnsOf(onEdit, onRemove), [onEdit, onRemove]);
  return (
    <Screen title="nav.cloudflare_groups" actions={add}>
      {data && data.length > 0 && (
        <h2 className="bp6-heading found">
          <T k="group.count" n={data.length} />
        </h2>
      )}
      <DataTable
        height="page"
        label={t('nav.cloudflare_groups')}
        source={source}
        columns={columns}
        failed="group.list_failed"
        empty={
          <EmptyState action={add}>
            <T k="group.empty" />
          </EmptyState>
        }
      />
      <Suspense fallback={<Loading />}>
        {edited !== undefined && <CloudflareGroup group={edited ?? undefined} onClose={close} />}
      </Suspense>
      {removed && (
        <Remove
          title={<T k="group.remove_title" name={removed.name} />}
          failed={t('group.delete_failed')}
          lists={['GET /api/cloudflare_groups', 'GET /api/cloudflare_accounts']}
          remove={async () => {
            await call('DELETE /api/cloudflare_groups/:id', { params: { id: removed.id } });
            return { message: t('cloudflare_group.deleted') };
          }}
          onClose={close}
        />
      )}
    </Screen>
  );
}
