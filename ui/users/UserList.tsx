import { Button, Tag } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import type { UserListed } from '../../src/shared/access/users.ts';
import { call } from '../kit/api.ts';
import { SearchField } from '../kit/form/SearchField.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import type { Column } from '../kit/table/DataTable.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import { ListSection } from '../kit/table/ListSection.tsx';
import { pageOf, type RowsSource } from '../kit/table/useRows.ts';
import './users.css';
import { UserDialog } from './UserDialog.tsx';

function CreatedAt({ user }: { user: UserListed }) {
  const formats = useFormats();
  return <>{formats.date(user.created_at)}</>;
}

function Change({ user, onChange }: { user: UserListed; onChange: (user: UserListed) => void }) {
  const t = useT();
  return (
    <Button
      size="small"
      text={<T k="people.change" />}
      aria-label={t('sites.action_on', { action: t('people.change'), name: user.login })}
      onClick={() => onChange(user)}
    />
  );
}

const columnsOf = (onChange: (user: UserListed) => void): Column<UserListed>[] => [
  { id: 'login', header: 'users.login', card: 'title', cell: (user) => user.login },
  { id: 'role', header: 'users.role', cell: (user) => <span lang="en">{user.role}</span> },
  { id: 'telegram', header: 'users.telegram', cell: (user) => user.telegram || <NoData /> },
  {
    id: 'active',
    header: 'users.active',
    card: 'status',
    cell: (user) => (
      <Tag minimal intent={user.active ? 'success' : 'none'}>
        <T k={user.active ? 'users.active_yes' : 'users.active_no'} />
      </Tag>
    ),
  },
  {
    id: 'second_factor',
    header: 'factor.title',
    cell: ({ second_factor }) => <T k={second_factor ? 'factor.on' : 'factor.off'} />,
  },
  { id: 'last_seen_at', header: 'people.last_seen', cell: ({ last_seen_at }) => <DateTime iso={last_seen_at} /> },
  { id: 'created', header: 'users.created_at', cell: (user) => <CreatedAt user={user} /> },
  { id: 'actions', header: 'team.actions', cell: (user) => <Change user={user} onChange={onChange} /> },
];

/** The users, with what an administrator does to each. */
export function UserList() {
  const t = useT();
  const [search, setSearch] = useState('');
  const [changed, setChanged] = useState<UserListed>();
  const columns = useMemo(() => columnsOf(setChanged), []);
  // The call returns all users at once; there are never many.
  const source = useMemo<RowsSource<UserListed>>(
    () => ({
      key: ['GET /api/users', { search }],
      load: async (page, signal) => {
        const { data } = await call('GET /api/users', { signal });
        const wanted = search.toLowerCase();
        const found = data.filter(({ login, telegram }) => `${login} ${telegram ?? ''}`.toLowerCase().includes(wanted));
        return pageOf(found, page);
      },
    }),
    [search],
  );
  return (
    <ListSection
      title="users.list"
      source={source}
      columns={columns}
      failed="users.list_failed"
      empty={search === '' ? 'users.none' : 'people.none_found'}
    >
      <div className="user-search">
        <SearchField label={t('people.search')} value={search} onChange={setSearch} />
      </div>
      {changed && <UserDialog user={changed} onClose={() => setChanged(undefined)} />}
    </ListSection>
  );
}
