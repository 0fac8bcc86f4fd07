import { Button } from '@blueprintjs/core';
import { useEffect, useState, type ReactNode } from 'react';
import { Controller, useForm, type UseFormReturn } from 'react-hook-form';
import { webRoot, type DomainType, type DomainView } from '../../src/shared/domains.ts';
import { cleanHostname, isHostname } from '../../src/shared/hostname.ts';
import { call, useCall } from '../api.ts';
import { Failed, Skeleton } from '../components/DataTable.tsx';
import {
  changedValues,
  domainResolver,
  newDomain,
  useDomainChoices,
  valuesOf,
  type DomainValues,
} from '../components/domainForm.ts';
import { useReturnFocus } from '../components/dialogFocus.ts';
import { DomainNameField } from '../components/DomainNameField.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { TextField, useSubmit } from '../components/Form.tsx';
import { InfoDialog } from '../components/InfoDialog.tsx';
import { refreshDomains } from '../components/operations.ts';
import { ProjectField } from '../components/ProjectField.tsx';
import { SelectField } from '../components/SelectField.tsx';
import { T } from '../components/T.tsx';
import { CloudflareAccountField, ServerField } from '../components/TeamFields.tsx';
import { toast, toastFailure, type ToastPlace } from '../components/toasts.tsx';
import { useT } from '../language.ts';
import { DomainPaste } from './DomainPaste.tsx';

interface FieldsProps {
  form: UseFormReturn<DomainValues>;
  place: ToastPlace;
  before?: string;
  onName?: (name: string) => void;
}

function Fields({ form, place, before, onName }: FieldsProps) {
  const { types, modes } = useDomainChoices();
  return (
    <>
      <DomainNameField control={form.control} before={before} onType={onName} />
      <div className="form-grid">
        <SelectField form={form} name="type" label={<T k="domain_form.type" />} options={types} />
        <SelectField form={form} name="transfer_type" label={<T k="domain_form.mode" />} options={modes} />
        <Controller
          control={form.control}
          name="project_id"
          render={({ field, fieldState }) => (
            <ProjectField value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
          )}
        />
        <Controller
          control={form.control}
          name="server_id"
          render={({ field, fieldState }) => (
            <ServerField
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error?.message}
              place={place}
            />
          )}
        />
        <Controller
          control={form.control}
          name="cloudflare_account_id"
          render={({ field, fieldState }) => (
            <CloudflareAccountField
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error?.message}
              place={place}
            />
          )}
        />
        <TextField form={form} name="expired_at" label={<T k="domain_form.expiry" />} type="date" max="2199-12-31" />
      </div>
      <TextField
        form={form}
        name="file_path"
        label={<T k="domain_form.path" />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </>
  );
}

interface DialogProps {
  place: ToastPlace;
  onClose: () => void;
}

interface NewDomainProps extends DialogProps {
  /** The project it goes to unless another is chosen. */
  projectId: number | null;
  /** What it is to be; a main one unless told. */
  type?: DomainType | undefined;
}

function AddOne({ projectId, type, place, onClose, switchMode }: NewDomainProps & { switchMode: ReactNode }) {
  const t = useT();
  const form = useForm<DomainValues>({
    defaultValues: newDomain(projectId, type),
    resolver: domainResolver,
    mode: 'onTouched',
  });
  const { isDirty, dirtyFields } = form.formState;
  const fillPath = (name: string): void => {
    if (dirtyFields.file_path) return;
    form.setValue('file_path', name === '' ? '' : webRoot(isHostname(name) ? cleanHostname(name) : name));
  };
  const submit = useSubmit(
    form,
    async (body) => {
      const { data } = await call('POST /api/domains', { body });
      await refreshDomains();
      toast.success(t('domain_form.added', { name: data.unicode_name }), { place });
      onClose();
    },
    t('projects.domain_create_failed'),
  );
  return (
    <FormDialog
      width={620}
      title={<T k="domain_form.add_title" />}
      action={<T k="domain_form.add" />}
      submit={submit}
      dirty={isDirty}
      onClose={onClose}
    >
      {switchMode}
      <Fields form={form} place={place} onName={fillPath} />
    </FormDialog>
  );
}

/** Adds a domain, or a pasted list of them. */
export function NewDomain({ projectId, type, ...props }: NewDomainProps) {
  const [many, setMany] = useState(false);
  useReturnFocus();
  const switchMode = (
    <div className="switch-mode">
      <Button
        size="small"
        variant="outlined"
        text={<T k={many ? 'domain_form.one' : 'domain_form.many'} />}
        onClick={() => setMany(!many)}
      />
    </div>
  );
  return many ? (
    <DomainPaste {...props} projectId={projectId} switchMode={switchMode} />
  ) : (
    <AddOne {...props} projectId={projectId} type={type} switchMode={switchMode} />
  );
}

function Edit({ domain, place, onClose }: DialogProps & { domain: DomainView }) {
  const t = useT();
  const form = useForm<DomainValues>({ defaultValues: valuesOf(domain), resolver: domainResolver, mode: 'onTouched' });
  const { isDirty, dirtyFields } = form.formState;
  const submit = useSubmit(
    form,
    async (values) => {
      const body = changedValues(values, dirtyFields);
      const { data } = await call('POST /api/domains/:id', { params: { id: domain.id }, body });
      await refreshDomains();
      toast.success(t('domain_form.saved', { name: data.unicode_name }), { place });
      onClose();
    },
    t('projects.domain_edit_failed'),
  );
  return (
    <FormDialog
      width={620}
      title={<T k="domain_form.edit_title" name={domain.unicode_name} />}
      action={<T k="domain_form.save" />}
      submit={submit}
      dirty={isDirty}
      onClose={onClose}
    >
      <Fields form={form} place={place} before={domain.domain_name} />
    </FormDialog>
  );
}

/** Edits a domain, asked of the server anew. */
export function Domain({ id, place, onClose }: DialogProps & { id: number }) {
  const t = useT();
  useReturnFocus();
  const { data, error, refetch } = useCall('GET /api/domains/:id', { params: { id } });
  // What comes later, as after saving, must not change the form under the hands.
  const [first, setFirst] = useState<DomainView>();
  if (data && !first) setFirst(data.data);
  useEffect(() => {
    if (error) toastFailure(t('projects.domain_failed'), error, { place });
  }, [error, place, t]);
  if (first) return <Edit domain={first} place={place} onClose={onClose} />;
  return (
    <InfoDialog width={620} title={<T k="sites.edit" />} onClose={onClose}>
      {error ? (
        <Failed sentence="projects.domain_failed" reason={error.message} retry={() => void refetch()} />
      ) : (
        <Skeleton label={t('ui.loading')} />
      )}
    </InfoDialog>
  );
}
