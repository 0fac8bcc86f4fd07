import { Button, Callout } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { TOKEN_DAYS, TOKEN_SCOPES, type TokenScope, type TokenView } from '../../src/shared/access/tokens.ts';
import { call, refresh } from '../kit/api.ts';
import { CopyButton } from '../kit/CopyButton.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { Remove } from '../kit/dialog/Remove.tsx';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { useDraft } from '../kit/form/useDraft.ts';
import { IconAction } from '../kit/IconAction.tsx';
import { AddIcon, TrashIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { useSession } from '../kit/session.ts';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import { pageOf, type RowsSource } from '../kit/table/useRows.ts';
import './people.css';

const NEVER = 'never';
const DAYS = [7, 30, TOKEN_DAYS.usual, 180, TOKEN_DAYS.most];

const source: RowsSource<TokenView> = {
  key: ['GET /api/tokens'],
  load: async (page, signal) => pageOf((await call('GET /api/tokens', { signal })).data, page),
};

function Revoke({ token, onRevoke }: { token: TokenView; onRevoke: (token: TokenView) => void }) {
  const t = useT();
  return (
    <span className="icon-actions" data-row={token.id}>
      <IconAction icon={<TrashIcon />} action={t('tokens.revoke')} name={token.name} onClick={() => onRevoke(token)} />
    </span>
  );
}

const columnsOf = (onRevoke: (token: TokenView) => void): Column<TokenView>[] => [
  { id: 'name', header: 'tokens.name', card: 'title', cell: ({ name }) => name },
  { id: 'hint', header: 'tokens.hint', cell: ({ hint }) => <code>sa_…{hint}</code> },
  { id: 'scope', header: 'tokens.scope', cell: ({ scope }) => <T k={`tokens.scope_${scope}`} /> },
  { id: 'created_at', header: 'tokens.created_at', cell: ({ created_at }) => <DateTime iso={created_at} /> },
  {
    id: 'expires_at',
    header: 'tokens.expires_at',
    cell: ({ expires_at }) => (expires_at === null ? <T k="tokens.never" /> : <DateTime iso={expires_at} />),
  },
  {
    id: 'last_used_at',
    header: 'tokens.last_used_at',
    cell: ({ last_used_at }) => (last_used_at === null ? <NoData /> : <DateTime iso={last_used_at} />),
  },
  { id: 'actions', header: 'team.actions', cell: (token) => <Revoke token={token} onRevoke={onRevoke} /> },
];

function NewToken({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  const t = useT();
  const isAdmin = useSession().user?.role === 'admin';
  const form = useForm({ defaultValues: { name: '', scope: 'read', days: String(TOKEN_DAYS.usual) } });
  useDraft(form, 'token new');
  const submit = useSubmit(
    form,
    async ({ name, scope, days }) => {
      const body = { name, scope: scope as TokenScope, days: days === NEVER ? null : Number(days) };
      const { token } = await call('POST /api/tokens', { body });
      // Told this once: it waits for nothing.
      onMade(token);
      await refresh('GET /api/tokens');
    },
    t('tokens.failed'),
  );
  const scopes = TOKEN_SCOPES.filter((scope) => isAdmin || scope !== 'admin');
  const days = DAYS.map((n) => ({ value: String(n), label: t('tokens.days', { n }) }));
  return (
    <FormDialog
      title={<T k="tokens.new" />}
      action={<T k="tokens.create" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={<T k="tokens.name" />} autoComplete="off" />
      <SelectField
        form={form}
        name="scope"
        label={<T k="tokens.scope" />}
        options={scopes.map((value) => ({ value, label: t(`tokens.scope_${value}`) }))}
      />
      <SelectField
        form={form}
        name="days"
        label={<T k="tokens.expires" />}
        options={isAdmin ? [...days, { value: NEVER, label: t('tokens.never') }] : days}
      />
    </FormDialog>
  );
}

/** The API tokens of the user. A new one is shown once. */
export function Tokens() {
  const t = useT();
  const [open, setOpen] = useState<'new' | { made: string } | { revoked: TokenView }>();
  const columns = useMemo(() => columnsOf((revoked) => setOpen({ revoked })), []);
  const close = (): void => setOpen(undefined);
  return (
    <Panel
      title={<T k="tokens.title" />}
      aside={<Button size="small" icon={<AddIcon />} text={<T k="tokens.new" />} onClick={() => setOpen('new')} />}
    >
      <p className="muted">
        <T k="tokens.about" />
      </p>
      <DataTable
        label={t('tokens.title')}
        source={source}
        columns={columns}
        failed="tokens.list_failed"
        empty="tokens.none"
      />
      {open === 'new' && <NewToken onMade={(made) => setOpen({ made })} onClose={close} />}
      {typeof open === 'object' && 'made' in open && (
        <InfoDialog title={<T k="tokens.made" />} width={560} onClose={close}>
          <Callout intent="warning">
            <T k="tokens.once" />
          </Callout>
          <code className="people-secret">{open.made}</code>
          <CopyButton text={open.made} />
        </InfoDialog>
      )}
      {typeof open === 'object' && 'revoked' in open && (
        <Remove
          title={<T k="tokens.revoke_title" name={open.revoked.name} />}
          failed={t('tokens.revoke_failed')}
          words={{ confirm: 'tokens.revoke', cancel: 'ui.cancel' }}
          lists={['GET /api/tokens']}
          remove={() => call('DELETE /api/tokens/:id', { params: { id: open.revoked.id } })}
          onClose={close}
        />
      )}
    </Panel>
  );
}
