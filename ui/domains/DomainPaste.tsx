import { TextArea } from '@blueprintjs/core';
import { useState, type ReactNode } from 'react';
import { Controller, useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import type { DomainType, TransferType } from '../../src/shared/portfolio/domains.ts';
import { parseHostnames, type ParsedHostnames } from '../../src/shared/hostname.ts';
import { call, messageOf } from '../kit/api.ts';
import { useDomainChoices } from './domainForm.ts';
import { Field, type Submit } from '../kit/form/Form.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { HostCount } from '../accounts/HostCount.tsx';
import { refreshDomains } from '../operations/operations.ts';
import { ProjectField } from './ProjectField.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { useDraft } from '../kit/form/useDraft.ts';
import { T } from '../kit/T.tsx';
import { toast, type ToastPlace } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';

/** The fields that all domains of the list share. */
interface Common {
  type: DomainType;
  transfer_type: TransferType;
  project_id: number | null;
}

type Values = Common & { text: string };

/** The name of what was pasted before the session ended. */
export const PASTED = 'domains new';

// The number of concurrent calls.
const AT_ONCE = 8;

/** Adds every host with the same fields. Returns the refused ones as lines, each with its reason as a note. */
async function addAll(hosts: readonly string[], common: Common, onProgress: (done: number) => void): Promise<string[]> {
  const refused: string[] = [];
  for (let start = 0; start < hosts.length; start += AT_ONCE) {
    const some = hosts.slice(start, start + AT_ONCE);
    await Promise.all(
      some.map((domain_name) =>
        call('POST /api/domains', { body: { ...common, domain_name } }).catch((error: unknown) => {
          refused.push(`${domain_name} # ${messageOf(error)}`);
        }),
      ),
    );
    onProgress(start + some.length);
  }
  return refused;
}

interface DomainPasteProps {
  projectId: number | null;
  place: ToastPlace;
  /** The control that switches back to the form of one domain. */
  switchMode: ReactNode;
  onClose: () => void;
}

/** Returns the form with what its text holds and how it is sent; `done` counts the domains that were sent. */
function useDomainPaste({ projectId, place, onClose }: Omit<DomainPasteProps, 'switchMode'>) {
  const t = useT();
  const [failure, setFailure] = useState<string>();
  const [done, setDone] = useState(0);
  const form = useForm<Values>({
    defaultValues: { text: '', type: 'main', transfer_type: 'auto', project_id: projectId },
  });
  useDraft(form, PASTED);
  const parsed = parseHostnames(useWatch({ control: form.control, name: 'text' }));
  const total = parsed.hosts.length;
  const add = form.handleSubmit(async ({ type, transfer_type, project_id }) => {
    setFailure(undefined);
    setDone(0);
    if (total === 0) {
      form.setError('text', { message: 'name.empty' }, { shouldFocus: true });
      return;
    }
    const refused = await addAll(parsed.hosts, { type, transfer_type, project_id }, setDone);
    await refreshDomains();
    if (refused.length < total) toast.success(t('domain_form.many_added', { n: total - refused.length }), { place });
    const left = [...refused, ...parsed.invalid];
    form.setValue('text', left.join('\n'));
    if (refused.length > 0) setFailure(t('domain_form.many_failed', { n: refused.length, total }));
    if (left.length === 0) onClose();
  });
  const busy = form.formState.isSubmitting;
  const onSubmit: Submit['onSubmit'] = (event) => {
    event.preventDefault();
    if (!busy) void add(event);
  };
  const submit: Submit = { onSubmit, busy, failure };
  return { form, parsed, done, submit };
}

function PastedText({ form, parsed }: { form: UseFormReturn<Values>; parsed: ParsedHostnames }) {
  return (
    <Controller
      control={form.control}
      name="text"
      render={({ field: { ref, ...field }, fieldState: { error } }) => (
        <Field
          label={<T k="domain_form.many_label" />}
          error={error?.message}
          help={
            <>
              <T k="domain_form.many_help" />
              {field.value !== '' && (
                <div>
                  <HostCount parsed={parsed} />
                </div>
              )}
            </>
          }
        >
          {(control) => (
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that was opened by hand
            <TextArea fill autoFocus rows={8} spellCheck={false} {...field} {...control} inputRef={ref} />
          )}
        </Field>
      )}
    />
  );
}

/** Adds a pasted list of domains. Refused ones stay in the field with their reasons, to be corrected and sent again. */
export function DomainPaste({ switchMode, ...props }: DomainPasteProps) {
  const { types, modes } = useDomainChoices();
  const { form, parsed, done, submit } = useDomainPaste(props);
  const total = parsed.hosts.length;
  return (
    <FormDialog
      width={620}
      title={<T k="domain_form.many_title" />}
      action={<T k="domain_form.many_add" n={total} />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={props.onClose}
    >
      {switchMode}
      <PastedText form={form} parsed={parsed} />
      <div className="form-grid">
        <SelectField form={form} name="type" label={<T k="domain_form.type" />} options={types} />
        <SelectField form={form} name="transfer_type" label={<T k="domain_form.mode" />} options={modes} />
        <Controller
          control={form.control}
          name="project_id"
          render={({ field }) => <ProjectField value={field.value} onChange={field.onChange} />}
        />
      </div>
      <output>{submit.busy && <T k="domain_form.many_progress" done={done} total={total} />}</output>
    </FormDialog>
  );
}
