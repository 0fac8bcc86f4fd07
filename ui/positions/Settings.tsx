import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { DEPTHS, PositionSettings } from '../../src/shared/positions/settings.ts';
import { DEVICES, SOURCE_CHOICES } from '../../src/shared/engines.ts';
import { call, refresh, useCall, type AnswerOf } from '../kit/api.ts';
import { useReturnFocus } from '../kit/dialog/dialogFocus.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { changesIn } from '../kit/form/changesIn.ts';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { useT } from '../kit/language.ts';
import { useDraft } from '../kit/form/useDraft.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';

interface SettingsProps {
  projectId: number;
  onClose: () => void;
}

const { shape } = PositionSettings;
const Texts = z.object({
  yandex_region: shape.yandex_region,
  google_region: shape.google_region,
  device: shape.device,
  depth: z.string(),
  daily_cap: z.string().regex(/^\d{1,6}$/, 'error.invalid_value'),
  every_days: z.string(),
  source: z.enum(SOURCE_CHOICES),
});
type Texts = z.infer<typeof Texts>;

const bodyOf = ({ depth, daily_cap, every_days, ...texts }: Texts): PositionSettings => {
  const numbers = { depth: Number(depth), daily_cap: Number(daily_cap), every_days: Number(every_days) };
  return { ...texts, ...numbers } as PositionSettings;
};

/** The fields of the form, in the order in which they are filled in. */
function Fields({ form }: { form: UseFormReturn<Texts> }) {
  const t = useT();
  return (
    <>
      <TextField
        form={form}
        name="yandex_region"
        inputMode="numeric"
        label={<T k="positions.yandex_region" />}
        help={<T k="positions.yandex_region_help" />}
      />
      <TextField
        form={form}
        name="google_region"
        inputMode="numeric"
        label={<T k="positions.google_region" />}
        help={<T k="positions.google_region_help" />}
      />
      <SelectField
        form={form}
        name="device"
        label={<T k="positions.device" />}
        options={DEVICES.map((device) => ({ value: device, label: t(`positions.device_${device}`) }))}
      />
      <SelectField
        form={form}
        name="depth"
        label={<T k="positions.depth" />}
        options={DEPTHS.map((depth) => ({ value: String(depth), label: String(depth) }))}
      />
      <SelectField
        form={form}
        name="every_days"
        label={<T k="positions.every" />}
        options={(['0', '1', '7'] as const).map((days) => ({ value: days, label: t(`positions.every_${days}`) }))}
      />
      <SelectField
        form={form}
        name="source"
        label={<T k="positions.source" />}
        options={SOURCE_CHOICES.map((source) => ({ value: source, label: t(`positions.source_${source}`) }))}
      />
      <TextField
        form={form}
        name="daily_cap"
        inputMode="numeric"
        label={<T k="positions.daily_cap" />}
        help={<T k="positions.daily_cap_help" />}
      />
    </>
  );
}

function SettingsForm({ projectId, values, onClose }: SettingsProps & { values: Texts }) {
  const t = useT();
  const form = useForm<Texts>({ resolver: zodResolver(Texts), defaultValues: values });
  useDraft(form, `positions ${projectId}`);
  const submit = useSubmit(form, async (texts) => {
    const body = changesIn(bodyOf(values), bodyOf(texts));
    await call('PUT /api/position_settings/:projectId', { params: { projectId }, body });
    await refresh(
      'GET /api/position_settings/:projectId',
      'GET /api/position_cost/:projectId/:engine',
      'GET /api/project_positions/:projectId/:engine',
    );
    toast.success(t('positions.saved'));
    onClose();
  });
  return (
    <FormDialog
      title={<T k="positions.settings" />}
      action={<T k="team.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <Fields form={form} />
    </FormDialog>
  );
}

type Stored = AnswerOf<'GET /api/position_settings/:projectId'>['data'];

const textsOf = (stored: Stored): Texts => {
  const { yandex_region, google_region, device, depth, daily_cap, every_days, source } = stored;
  const numbers = { depth: String(depth), daily_cap: String(daily_cap), every_days: String(every_days) };
  return { yandex_region, google_region, device, source, ...numbers };
};

/** How the positions of a project are read: regions, device, depth, schedule, service and the cap of a day. */
export function Settings({ projectId, onClose }: SettingsProps) {
  const t = useT();
  useReturnFocus();
  const { data, error, isFetching, refetch } = useCall(
    'GET /api/position_settings/:projectId',
    { params: { projectId } },
    { anew: true },
  );
  // Kept from the first fresh answer: changes are compared with the initial values of the form.
  const [first, setFirst] = useState<Texts>();
  if (data && !isFetching && !error && !first) setFirst(textsOf(data.data));
  if (first) return <SettingsForm projectId={projectId} values={first} onClose={onClose} />;
  return (
    <InfoDialog title={<T k="positions.settings" />} onClose={onClose}>
      {error && !isFetching ? (
        <Failed sentence="positions.load_failed" reason={error.message} retry={() => void refetch()} />
      ) : (
        <Skeleton label={t('ui.loading')} />
      )}
    </InfoDialog>
  );
}
