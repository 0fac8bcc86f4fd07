import { useEffect, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import type { CloudflareGroupView } from '../../src/shared/accounts/cloudflare-groups.ts';
import { ApiError, call, refresh, useCall } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { changesIn } from '../kit/form/changesIn.ts';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { MultiCombobox } from '../kit/form/MultiCombobox.tsx';
import { useDraft } from '../kit/form/useDraft.ts';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';
import { nameOf } from './nameOf.ts';

interface CloudflareGroupProps {
  /** The group to edit; without one a new one is made. */
  group?: CloudflareGroupView | undefined;
  onClose: () => void;
}

interface Values {
  name: string;
  accounts: number[];
}

/** Saves the group; `sentence` is said of a failure for which the server gave no reason (code `failed`), or was not reached. */
async function save(group: CloudflareGroupView | undefined, before: Values, body: Values, sentence: string) {
  try {
    return group
      ? await call('PUT /api/cloudflare_groups/:id', { params: { id: group.id }, body: changesIn(before, body) })
      : await call('POST /api/cloudflare_groups', { body });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message } = error;
    if (code === 'failed') throw new ApiError(status, code, sentence);
    throw status === 0 ? new ApiError(status, code, `${sentence}\n${message}`) : error;
  }
}

/** The form of a group: its name and its accounts. */
export function CloudflareGroup({ group, onClose }: CloudflareGroupProps) {
  const t = useT();
  const { data, error } = useCall('GET /api/cloudflare_accounts');
  const accounts = data?.data ?? [];
  useEffect(() => {
    if (error) toastFailure(t('group.accounts_failed'), error);
  }, [error, t]);
  const [before] = useState(() => ({ name: group?.name ?? '', accounts: group?.accounts.map(({ id }) => id) ?? [] }));
  const form = useForm<Values>({ defaultValues: before });
  useDraft(form, `cloudflare-group ${group?.id ?? 'new'}`);
  const submit = useSubmit(form, async (body) => {
    const { name } = await save(group, before, body, t('group.save_failed'));
    await refresh('GET /api/cloudflare_groups', 'GET /api/cloudflare_accounts');
    toast.success(t('group.saved', { name }));
    onClose();
  });
  return (
    <FormDialog
      width={560}
      title={group ? <T k="group.edit_title" name={group.name} /> : <T k="group.add_title" />}
      action={<T k="team.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={<T k="group.name" />} autoComplete="off" />
      <Controller
        control={form.control}
        name="accounts"
        render={({ field, fieldState }) => (
          <MultiCombobox
            label={<T k="group.accounts" />}
            items={accounts.map((account) => ({ id: account.id, name: nameOf(accounts)(account) }))}
            ids={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
    </FormDialog>
  );
}
