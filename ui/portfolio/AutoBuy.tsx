import { FormGroup, Switch } from '@blueprintjs/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { registrarKind } from '../../src/shared/accounts/registrars.ts';
import type { CloudflareGroupView } from '../../src/shared/accounts/cloudflare-groups.ts';
import { AutoBuyInput, AutoBuyTemplate, defaultAutoBuy } from '../../src/shared/purchases/auto-buy.ts';
import { useAccounts, type Account } from '../accounts/calls.ts';
import { ApiError, call, useCall, type AnswerOf } from '../kit/api.ts';
import { useReturnFocus } from '../kit/dialog/dialogFocus.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { useAnew } from '../kit/dialog/useAnew.ts';
import { changesIn } from '../kit/form/changesIn.ts';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { useDraft } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { toast } from '../kit/toasts.tsx';
import { PurchasesState } from '../purchases/PurchasesState.tsx';
import { TemplateCheck } from './TemplateCheck.tsx';

const READ = 'GET /api/auto_buy/:projectId';
type Settings = AnswerOf<typeof READ>;

const isWanted = (text: string): boolean =>
  text.trim() !== '' && AutoBuyInput.shape.wanted_reserves.safeParse(Number(text)).success;

// A select has texts as values; empty is none.
const FormValues = z.object({
  template: AutoBuyTemplate,
  state: z.enum(['on', 'off']),
  registrars_id: z.string(),
  cloudflare_groups_id: z.string(),
  wanted_reserves: z.string().refine(isWanted, 'auto_buy.wanted_invalid'),
});
type FormValues = z.infer<typeof FormValues>;
const idOf = (value: string): number | null => (value === '' ? null : Number(value));

const valuesOf = (settings: Settings): FormValues => ({
  state: settings.state,
  template: settings.template,
  registrars_id: String(settings.registrars_id ?? ''),
  cloudflare_groups_id: String(settings.cloudflare_groups_id ?? ''),
  wanted_reserves: String(settings.wanted_reserves),
});

const settingsOf = ({ registrars_id, cloudflare_groups_id, wanted_reserves, ...values }: FormValues) => ({
  ...values,
  registrars_id: idOf(registrars_id),
  cloudflare_groups_id: idOf(cloudflare_groups_id),
  wanted_reserves: Number(wanted_reserves),
});

/** Returns the body of a change: what was changed alone, as others may have changed the rest. Settings that may be new have their template. */
function bodyOf(before: Settings, values: FormValues) {
  const isNew = Object.keys(changesIn<Settings>(defaultAutoBuy(before.project_id), before)).length === 0;
  return {
    project_id: before.project_id,
    ...(isNew && { template: values.template }),
    ...changesIn(settingsOf(valuesOf(before)), settingsOf(values)),
  };
}

interface AutoBuyProps {
  project: { id: number; name: string };
  onClose: () => void;
}

interface EditProps extends AutoBuyProps {
  settings: Settings;
  registrars: readonly Account[];
  groups: readonly CloudflareGroupView[];
}

function useSettingsForm({ project, settings, onClose }: EditProps) {
  const t = useT();
  // A gap of the event stream reads them anew while the form is open.
  const [before] = useState(settings);
  const form = useForm<FormValues>({
    defaultValues: valuesOf(before),
    resolver: zodResolver(FormValues, undefined, { raw: true }),
  });
  useDraft(form, `auto-buy ${project.id}`);
  const submit = useSubmit(
    form,
    async (values) => {
      await call('POST /api/auto_buy', { body: bodyOf(before, values), upTo: 200 });
      toast.success(t('auto_buy.saved'), { place: 'project' });
      onClose();
    },
    // An answer of the server, or none.
    (error) => t(error instanceof ApiError && error.status > 0 ? 'auto_buy.save_refused' : 'auto_buy.save_failed'),
  );
  return { form, submit };
}

type Form = ReturnType<typeof useSettingsForm>['form'];

/** At which registrar names are bought, into which group of accounts, and how many of them are to be ready. */
function Where({ form, registrars, groups }: Pick<EditProps, 'registrars' | 'groups'> & { form: Form }) {
  const t = useT();
  const none = { value: '', label: t('auto_buy.none') };
  return (
    <div className="form-grid">
      <SelectField
        form={form}
        name="registrars_id"
        label={<T k="auto_buy.registrar" />}
        options={[
          none,
          ...registrars.map(({ id, name, type }) => ({ value: String(id), label: `${name} (${String(type)})` })),
        ]}
      />
      <SelectField
        form={form}
        name="cloudflare_groups_id"
        label={<T k="auto_buy.group" />}
        options={[none, ...groups.map(({ id, name }) => ({ value: String(id), label: name }))]}
      />
      <TextField
        form={form}
        name="wanted_reserves"
        label={<T k="auto_buy.wanted" />}
        help={<T k="auto_buy.wanted_help" />}
        inputMode="numeric"
        autoComplete="off"
      />
    </div>
  );
}

function Edit(props: EditProps) {
  const { project, registrars, groups, onClose } = props;
  const { form, submit } = useSettingsForm(props);
  const template = useWatch({ control: form.control, name: 'template' });
  return (
    <FormDialog
      width={720}
      title={<T k="auto_buy.title" name={project.name} />}
      action={<T k="auto_buy.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <Controller
        control={form.control}
        name="state"
        render={({ field: { ref, value, onChange } }) => (
          <FormGroup>
            <Switch
              inputRef={ref}
              checked={value === 'on'}
              labelElement={<T k="auto_buy.state" />}
              onChange={(event) => onChange(event.currentTarget.checked ? 'on' : 'off')}
            />
          </FormGroup>
        )}
      />
      <TextField
        form={form}
        name="template"
        className="template-field"
        label={<T k="auto_buy.template" />}
        help={<T k="auto_buy.template_help" pick="{a|b|c}" join="[ +-+a|b|c ]" />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TemplateCheck template={template} />
      <Where form={form} registrars={registrars} groups={groups} />
      <PurchasesState />
    </FormDialog>
  );
}

/** How reserves of a project are bought: on or off, by which template, at which registrar, into which group. */
export function AutoBuy({ project, onClose }: AutoBuyProps) {
  const t = useT();
  useReturnFocus();
  const settings = useAnew<Settings>({
    queryKey: [READ, project.id],
    queryFn: ({ signal }) => call(READ, { params: { projectId: project.id }, signal }),
  });
  const registrars = useAccounts(registrarKind);
  const groups = useCall('GET /api/cloudflare_groups');
  if (settings.data && registrars.accounts && groups.data) {
    const loaded = { settings: settings.data, registrars: registrars.accounts, groups: groups.data };
    return <Edit project={project} {...loaded} onClose={onClose} />;
  }
  const error = settings.error ?? registrars.error ?? groups.error;
  const retry = (): void => {
    for (const { refetch } of [settings, registrars, groups]) void refetch();
  };
  return (
    <InfoDialog title={<T k="auto_buy.title" name={project.name} />} onClose={onClose}>
      {error ? (
        <Failed sentence="auto_buy.load_failed" reason={error.message} retry={retry} />
      ) : (
        <Skeleton label={t('ui.loading')} />
      )}
    </InfoDialog>
  );
}
