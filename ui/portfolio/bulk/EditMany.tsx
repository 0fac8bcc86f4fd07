import { HTMLSelect } from '@blueprintjs/core';
import { useState, type ReactNode } from 'react';
import { cloudflareKind } from '../../../src/shared/accounts/cloudflare-accounts.ts';
import { serverKind } from '../../../src/shared/accounts/servers.ts';
import type { Key } from '../../../src/shared/i18n/index.ts';
import type { BulkResult } from '../../../src/shared/system/bulk.ts';
import { useAccounts } from '../../accounts/calls.ts';
import { useDomainChoices } from '../../domains/domainForm.ts';
import { useCall } from '../../kit/api.ts';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { CountField, isTyped } from '../../kit/form/CountField.tsx';
import { Field } from '../../kit/form/Form.tsx';
import { useFormats, useT } from '../../kit/language.ts';
import { T } from '../../kit/T.tsx';
import { ManyPlan } from './ManyPlan.tsx';
import type { ChosenBody, ManyAct } from './usePlan.ts';
import { useManyAct } from './useManyAct.ts';

/** The fields that many domains are given at once. */
export type ManyField = 'project' | 'server' | 'account' | 'mode';

const WORDS: Record<ManyField, { title: Key; label: Key; none?: Key; note?: Key }> = {
  project: { title: 'bulk.project_title', label: 'list.project', none: 'list.no_project' },
  server: { title: 'bulk.server_title', label: 'domain_form.server', none: 'bulk.no_server', note: 'bulk.ours_only' },
  account: { title: 'bulk.account_title', label: 'bulk.account', none: 'bulk.no_account', note: 'bulk.ours_only' },
  mode: { title: 'bulk.mode_title', label: 'list.mode' },
};

const NONE = 'none';

interface Choice {
  value: string;
  label: string;
}

/** The values that a field may be given. */
function useChoices(field: ManyField): readonly Choice[] {
  const { modes } = useDomainChoices();
  const { data: projects } = useCall('GET /api/user_projects', {}, { enabled: field === 'project' });
  const { accounts: servers } = useAccounts(serverKind);
  const { accounts } = useAccounts(cloudflareKind);
  if (field === 'mode') return modes;
  const rows = { project: projects?.data, server: servers, account: accounts }[field] ?? [];
  return rows.map(({ id, name }) => ({ value: String(id), label: name }));
}

function actOf(field: ManyField, value: string): ManyAct | undefined {
  if (value === '') return undefined;
  if (field === 'mode') return { kind: 'edit', fields: { transfer_type: value === 'manual' ? 'manual' : 'auto' } };
  const id = value === NONE ? null : Number(value);
  const column = { project: 'project_id', server: 'server_id', account: 'cloudflare_account_id' } as const;
  return { kind: 'edit', fields: { [column[field]]: id } };
}

export interface ManyProps {
  chosen: ChosenBody;
  count: number;
  onDone: (message: string, done: BulkResult) => void;
  onClose: () => void;
}

/** Gives many domains one value of a field, after its plan was shown. */
export function EditMany({ field, chosen, count, onDone, onClose }: ManyProps & { field: ManyField }) {
  const t = useT();
  const { number } = useFormats();
  const [value, setValue] = useState('');
  const { title, label, none, note } = WORDS[field];
  const choices = useChoices(field);
  const act = actOf(field, value);
  const { plan, submit } = useManyAct(chosen, act, { isReady: () => true, onDone });
  const changes = plan.isFetching ? 0 : (plan.data?.changes ?? 0);
  return (
    <FormDialog
      title={<T k={title} n={count} count={number(count)} />}
      action={changes > 0 ? <T k="bulk.edit_n" n={number(changes)} /> : <T k="bulk.edit" />}
      disabled={changes === 0}
      note={value === '' && <T k="bulk.choose" />}
      submit={submit}
      onClose={onClose}
    >
      <Field label={<T k={label} />}>
        {(control) => (
          <HTMLSelect
            {...control}
            fill
            value={value}
            disabled={submit.busy}
            onChange={(event) => setValue(event.currentTarget.value)}
            options={[
              { value: '', label: t('bulk.choice') },
              ...choices,
              ...(none === undefined ? [] : [{ value: NONE, label: t(none) }]),
            ]}
          />
        )}
      </Field>
      {act && <ManyPlan plan={plan} />}
      {note !== undefined && (
        <p className="many-note">
          <T k={note} />
        </p>
      )}
    </FormDialog>
  );
}

const DELETE: ManyAct = { kind: 'delete' };

/** Takes many domains out of the portfolio, after the plan was shown; many of them ask for their number. */
export function DeleteMany({ chosen, count, onDone, onClose }: ManyProps): ReactNode {
  const { number } = useFormats();
  const [typed, setTyped] = useState('');
  const [isAsked, setAsked] = useState(false);
  const { plan, submit } = useManyAct(chosen, DELETE, {
    isReady: ({ changes }) => {
      setAsked(true);
      return isTyped(typed, changes);
    },
    onDone,
  });
  const changes = plan.isFetching ? 0 : (plan.data?.changes ?? 0);
  return (
    <FormDialog
      title={<T k="bulk.delete_title" n={count} count={number(count)} />}
      action={changes > 0 ? <T k="bulk.delete_n" n={number(changes)} /> : <T k="sites.delete" />}
      intent="danger"
      disabled={changes === 0}
      submit={submit}
      onClose={onClose}
    >
      <p>
        <T k="bulk.delete_note" />
      </p>
      <ManyPlan plan={plan} />
      {!isTyped('', changes) && <CountField count={changes} value={typed} isAsked={isAsked} onChange={setTyped} />}
    </FormDialog>
  );
}
