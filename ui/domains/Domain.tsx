import { Button, ProgressBar } from '@blueprintjs/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import {
  DomainInput,
  webRoot,
  type DeletedDomain,
  type DomainDetail,
  type DomainType,
} from '../../src/shared/portfolio/domains.ts';
import { cleanHostname, isHostname } from '../../src/shared/hostname.ts';
import { call, refresh, upload, useCall } from '../kit/api.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import {
  changedBody,
  changesOf,
  domainResolver,
  editResolver,
  newBody,
  newDomain,
  useShown,
  valuesOf,
  type DomainValues,
} from './domainForm.ts';
import { DeletedNote, findDeleted } from './DeletedDomain.tsx';
import { DomainFields } from './DomainFields.tsx';
import { useReturnFocus } from '../kit/dialog/dialogFocus.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { useSubmit } from '../kit/form/Form.tsx';
import { useBegun } from '../kit/form/useBegun.ts';
import { useDraft, useTyped } from '../kit/form/useDraft.ts';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { refreshDomains } from '../operations/operations.ts';
import { T } from '../kit/T.tsx';
import { toast, toastFailure, type ToastPlace } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';
import { DomainPaste, PASTED } from './DomainPaste.tsx';

/** Shows the result of saving as a toast, with the deployment of the site if one was started. */
function tell(
  { message, operation }: { message?: string; operation?: object },
  saved: string,
  place: ToastPlace,
): void {
  toast.success(message ? `${saved}. ${message}` : saved, { place });
  if (operation) void refresh('GET /api/operations');
}

interface DialogProps {
  place: ToastPlace;
  onClose: () => void;
}

interface NewDomainProps extends DialogProps {
  /** The preselected project. */
  projectId: number | null;
  /** The preselected type; `main` by default. */
  type?: DomainType | undefined;
}

/** Tracks the upload of a form with a file; returns a progress bar while it runs. */
function useSending() {
  const t = useT();
  const [sent, setSent] = useState<number>();
  const sending = async <T,>(send: (onProgress: (part: number) => void) => Promise<T>): Promise<T> => {
    try {
      return await send(setSent);
    } finally {
      setSent(undefined);
    }
  };
  return { sending, bar: sent !== undefined && <ProgressBar value={sent} aria-label={t('site_form.uploading')} /> };
}

/** Stops the adding of a name whose domain the caller has deleted, once: that one is offered instead. */
function useDeletedOffer(form: UseFormReturn<DomainValues>) {
  const [found, setFound] = useState<DeletedDomain>();
  const typed = form.watch('domain_name');
  const host = isHostname(typed) ? cleanHostname(typed) : '';
  const offered = found?.domain_name === host ? found : undefined;
  const stops = async (): Promise<boolean> => {
    if (offered) return false;
    const deleted = await findDeleted(host);
    setFound(deleted);
    return deleted !== undefined;
  };
  return { offered, stops };
}

function AddOne({ projectId, type, place, onClose, switchMode }: NewDomainProps & { switchMode: ReactNode }) {
  const t = useT();
  const form = useForm<DomainValues>({
    defaultValues: newDomain(projectId, type),
    resolver: domainResolver,
    mode: 'onTouched',
  });
  useDraft(form, 'domain new');
  const { isDirty, dirtyFields } = form.formState;
  const { bar, sending } = useSending();
  const fillPath = (name: string): void => {
    if (dirtyFields.file_path) return;
    const path = webRoot(isHostname(name) ? cleanHostname(name) : name);
    // Of what is no name yet it may be no folder, and nobody has typed that one.
    form.setValue('file_path', name !== '' && DomainInput.shape.file_path.safeParse(path).success ? path : '');
  };
  useEffect(() => {
    const { domain_name, file_path } = form.getValues();
    if (file_path === '') fillPath(domain_name);
    // oxlint-disable-next-line react/exhaustive-deps -- once: a draft has the name without the folder that has followed from it
  }, [form]);
  const { offered, stops } = useDeletedOffer(form);
  const submit = useSubmit(
    form,
    async (values) => {
      if (await stops()) return;
      const body = newBody(values);
      const saved = await sending((part) =>
        body instanceof FormData ? upload('POST /api/domains', { body }, part) : call('POST /api/domains', { body }),
      );
      await refreshDomains();
      tell(saved, t('domain_form.added', { name: saved.data.unicode_name }), place);
      onClose();
    },
    t('projects.domain_create_failed'),
  );
  return (
    <FormDialog
      width={720}
      title={<T k="domain_form.add_title" />}
      action={<T k={offered ? 'domain_back.add_anew' : 'domain_form.add'} />}
      submit={submit}
      dirty={isDirty}
      onClose={onClose}
    >
      {switchMode}
      <DomainFields form={form} place={place} onName={fillPath} />
      {offered && <DeletedNote domain={offered} place={place} onBack={onClose} />}
      {bar}
    </FormDialog>
  );
}

/** Adds a domain, or a pasted list of them. */
export function NewDomain({ projectId, type, ...props }: NewDomainProps) {
  const [many, setMany] = useState(useTyped(PASTED) !== undefined);
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

function Edit({ domain, place, onClose }: DialogProps & { domain: DomainDetail }) {
  const t = useT();
  const form = useForm<DomainValues>({ defaultValues: valuesOf(domain), resolver: editResolver, mode: 'onTouched' });
  useDraft(form, `domain ${domain.id}`);
  const { isDirty } = form.formState;
  const { bar, sending } = useSending();
  const params = { id: domain.id };
  const reread = async (): Promise<DomainDetail> => (await call('GET /api/domains/:id', { params })).data;
  const { begun, wasOf, explain } = useBegun(domain, useShown(), reread);
  const submit = useSubmit(
    form,
    async (values) => {
      const body = changedBody(begun, values, wasOf(changesOf(begun, values)));
      const saved = await sending((part) =>
        body instanceof FormData
          ? upload('POST /api/domains/:id', { params, body }, part)
          : call('POST /api/domains/:id', { params, body }),
      ).catch(async (error: unknown) => {
        throw await explain(error);
      });
      await refreshDomains();
      tell(saved, t('domain_form.saved', { name: saved.data.unicode_name }), place);
      onClose();
    },
    t('projects.domain_edit_failed'),
  );
  return (
    <FormDialog
      width={720}
      title={<T k="domain_form.edit_title" name={domain.unicode_name} />}
      action={<T k="domain_form.save" />}
      submit={submit}
      dirty={isDirty}
      onClose={onClose}
    >
      <DomainFields form={form} place={place} before={domain.domain_name} domain={domain} />
      {bar}
    </FormDialog>
  );
}

/** Edits a domain, fetched anew on each opening. */
export function Domain({ id, place, onClose }: DialogProps & { id: number }) {
  const t = useT();
  useReturnFocus();
  const { data, error, isFetching, refetch } = useCall('GET /api/domains/:id', { params: { id } }, { anew: true });
  // A later refetch, as after saving, must not replace the form while it is edited.
  const [first, setFirst] = useState<DomainDetail>();
  if (data && !isFetching && !error && !first) setFirst(data.data);
  useEffect(() => {
    if (error && !isFetching) toastFailure(t('projects.domain_failed'), error, { place });
  }, [error, isFetching, place, t]);
  if (first) return <Edit domain={first} place={place} onClose={onClose} />;
  return (
    <InfoDialog width={720} title={<T k="sites.edit" />} onClose={onClose}>
      {error && !isFetching ? (
        <Failed sentence="projects.domain_failed" reason={error.message} retry={() => void refetch()} />
      ) : (
        <Skeleton label={t('ui.loading')} />
      )}
    </InfoDialog>
  );
}
