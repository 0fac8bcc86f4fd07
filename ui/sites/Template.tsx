import { ProgressBar } from '@blueprintjs/core';
import { useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { isZipName, MAX_TEMPLATE_BYTES, type TemplateView } from '../../src/shared/sites/templates.ts';
import { refresh, upload } from '../kit/api.ts';
import { FileDrop } from '../kit/form/FileDrop.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { useDraft } from '../kit/form/useDraft.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useFormats, useT } from '../kit/language.ts';

interface TemplateProps {
  /** The template to edit; absent for a new one. */
  template?: TemplateView | undefined;
  onClose: () => void;
}

interface Values {
  name: string;
  template_file: File | null;
}

/** Returns the body: of a template that is edited, its name only where that was changed, as others may have changed it. */
function bodyOf({ name, template_file }: Values, before: string | undefined): FormData {
  const body = new FormData();
  if (name !== before) body.set('name', name);
  if (template_file) body.set('template_file', template_file);
  return body;
}

const send = (template: TemplateView | undefined, body: FormData, onSent: (part: number) => void) =>
  template
    ? upload('POST /api/templates/:id', { params: { id: template.id }, body }, onSent)
    : upload('POST /api/templates', { body }, onSent);

/** The form of a template. An edit without a file keeps the stored one. */
export function Template({ template, onClose }: TemplateProps) {
  const t = useT();
  const formats = useFormats();
  const [sent, setSent] = useState<number>();
  const [before] = useState(template?.name);
  const form = useForm<Values>({ defaultValues: { name: template?.name ?? '', template_file: null } });
  useDraft(form, `template ${template?.id ?? 'new'}`);
  const { field, fieldState } = useController({ control: form.control, name: 'template_file' });
  const submit = useSubmit(
    form,
    async (values) => {
      const body = bodyOf(values, before);
      setSent(0);
      try {
        const { data } = await send(template, body, setSent);
        await refresh('GET /api/templates', 'GET /api/templates/:id');
        toast.success(t(template ? 'templates.saved' : 'templates.added', { name: data.name }));
        onClose();
      } finally {
        setSent(undefined);
      }
    },
    t(template ? 'templates.edit_failed' : 'templates.add_failed'),
  );
  const choose = (file: File | null): void => {
    field.onChange(file);
    form.clearErrors('template_file');
    // Checked before the upload; the server refuses the same files.
    if (file && !isZipName(file)) form.setError('template_file', { message: 'template.only_zip' });
    else if (file && file.size > MAX_TEMPLATE_BYTES) {
      form.setError('template_file', { message: t('error.too_large', { limit: formats.bytes(MAX_TEMPLATE_BYTES) }) });
    } else if (file && form.getValues('name') === '') form.setValue('name', file.name.replace(/\.zip$/i, ''));
  };
  return (
    <FormDialog
      width={480}
      title={template ? <T k="templates.edit_title" name={template.name} /> : <T k="templates.add_title" />}
      action={<T k="team.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={<T k="templates.name" />} autoComplete="off" />
      <FileDrop
        label={<T k="templates.file" />}
        accept=".zip,application/zip"
        file={field.value}
        onChange={choose}
        none={template?.file_name && <T k="templates.keep" name={template.file_name} />}
        error={fieldState.error?.message}
        help={<T k="templates.file_help" />}
        inputRef={field.ref}
      />
      {sent !== undefined && field.value && (
        <ProgressBar value={sent} aria-label={t('templates.uploading', { name: field.value.name })} />
      )}
    </FormDialog>
  );
}
