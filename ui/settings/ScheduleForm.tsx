import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import type { JobName } from '../../src/shared/system/job-names.ts';
import { JOBS, type ScheduleInput } from '../../src/shared/system/schedules.ts';
import { call, messageOf, refresh, type AnswerOf } from '../kit/api.ts';
import { useDraft } from '../kit/form/useDraft.ts';
import { changesIn } from '../kit/form/changesIn.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Message, T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { jobName } from './scheduleTexts.ts';

type Job = AnswerOf<'GET /api/schedules'>['data'][number];

const digits = (message: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, message);

const Texts = z.object({
  by: z.enum(['cron', 'interval']),
  cron: z.string().trim(),
  interval_minutes: z.string().trim(),
  zone: z.string().trim(),
  jitter_seconds: digits('schedule.jitter_invalid'),
  quiet_from: z.string().trim(),
  quiet_until: z.string().trim(),
  keep: z.string().trim(),
  heartbeat: z.string().trim(),
});
type Texts = z.infer<typeof Texts>;
type Form = UseFormReturn<Texts>;

const textsOf = (job: Job): Texts => ({
  by: job.cron === null ? 'interval' : 'cron',
  cron: job.cron ?? '',
  interval_minutes: job.interval_minutes === null ? '' : String(job.interval_minutes),
  zone: job.zone,
  jitter_seconds: String(job.jitter_seconds),
  quiet_from: job.quiet_from ?? '',
  quiet_until: job.quiet_until ?? '',
  keep: job.keep === null ? '' : String(job.keep),
  heartbeat: job.heartbeat,
});

// A text that is no number becomes -1, which the server refuses at its field.
const numberOf = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : -1);

/** Returns a form as the server takes it; `name` decides what the job has. */
function bodyOf(name: JobName, texts: Texts): ScheduleInput {
  const { keeps, quiet } = JOBS[name];
  return {
    cron: texts.by === 'cron' ? texts.cron : null,
    interval_minutes: texts.by === 'interval' ? numberOf(texts.interval_minutes) : null,
    zone: texts.zone,
    jitter_seconds: numberOf(texts.jitter_seconds),
    ...(quiet && { quiet_from: texts.quiet_from || null, quiet_until: texts.quiet_until || null }),
    ...(keeps && { keep: numberOf(texts.keep) }),
    heartbeat: texts.heartbeat,
  };
}

// A job has a cron line or an interval, and both ends of its quiet time or none.
const TOGETHER: readonly (keyof ScheduleInput)[][] = [
  ['cron', 'interval_minutes'],
  ['quiet_from', 'quiet_until'],
];

const PREVIEWED_AFTER_MS = 400;

/** Returns a value once it has stayed the same for a moment. */
function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PREVIEWED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as Value;
}

/** The next five runs of a job with what is in the form, in the reader's zone. */
function Preview({ name, form }: { name: JobName; form: Form }) {
  const formats = useFormats();
  const { heartbeat: _, ...body } = useSettled(bodyOf(name, form.watch()));
  const { data, error } = useQuery({
    queryKey: ['POST /api/schedules/:name/preview', name, body],
    queryFn: ({ signal }) => call('POST /api/schedules/:name/preview', { params: { name }, body, signal }),
    retry: false,
  });
  return (
    <section aria-live="polite">
      <h3 className="bp6-heading">
        <T k="schedule.preview" />
      </h3>
      {error && (
        <p className="muted">
          <Message text={messageOf(error)} />
        </p>
      )}
      {data?.data.next.length === 0 && (
        <p className="muted">
          <T k="schedule.preview_none" />
        </p>
      )}
      <ol className="schedule-preview">
        {(error ? [] : (data?.data.next ?? [])).map((at) => (
          <li key={at}>
            <time dateTime={at}>{formats.dateTime(at)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Times({ form, quiet }: { form: Form; quiet: boolean }) {
  const t = useT();
  const by = form.watch('by');
  return (
    <>
      <SelectField
        form={form}
        name="by"
        label={<T k="schedule.by" />}
        options={[
          { value: 'cron', label: t('schedule.by_line') },
          { value: 'interval', label: t('schedule.by_interval') },
        ]}
      />
      {by === 'cron' ? (
        <TextField form={form} name="cron" label={<T k="schedule.cron" />} help={<T k="schedule.cron_help" />} />
      ) : (
        <TextField form={form} name="interval_minutes" inputMode="numeric" label={<T k="schedule.interval" />} />
      )}
      <TextField form={form} name="zone" label={<T k="schedule.zone" />} />
      <TextField
        form={form}
        name="jitter_seconds"
        inputMode="numeric"
        label={<T k="schedule.jitter" />}
        help={<T k="schedule.jitter_help" />}
      />
      {quiet ? (
        <div className="schedule-times">
          <TextField form={form} name="quiet_from" placeholder="23:00" label={<T k="schedule.quiet_from" />} />
          <TextField form={form} name="quiet_until" placeholder="07:00" label={<T k="schedule.quiet_until" />} />
          <p className="muted">
            <T k="schedule.quiet_help" />
          </p>
        </div>
      ) : (
        <p className="muted">
          <T k="schedule.never_quiet_help" />
        </p>
      )}
    </>
  );
}

/** When a job runs, and what it keeps. */
export function ScheduleForm({ job, onClose }: { job: Job; onClose: () => void }) {
  const t = useT();
  const { name } = job;
  const { keeps, quiet } = JOBS[name];
  const form = useForm<Texts>({ resolver: zodResolver(Texts), defaultValues: textsOf(job) });
  const [before] = useState(() => bodyOf(name, textsOf(job)));
  useDraft(form, `schedule ${name}`);
  const submit = useSubmit(
    form,
    async (texts) => {
      const body = changesIn(before, bodyOf(name, texts), TOGETHER);
      await call('PUT /api/schedules/:name', { params: { name }, body });
      await refresh('GET /api/schedules');
      toast.success(t('schedule.saved'));
      onClose();
    },
    t('schedule.save_failed'),
  );
  return (
    <FormDialog
      title={jobName(t, name)}
      action={<T k="team.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <Times form={form} quiet={quiet} />
      {keeps && <TextField form={form} name="keep" inputMode="numeric" label={<T k={`schedule.keep_${keeps}`} />} />}
      <TextField
        form={form}
        name="heartbeat"
        label={<T k="schedule.heartbeat" />}
        help={<T k="schedule.heartbeat_help" />}
        autoComplete="off"
        spellCheck={false}
      />
      <Preview name={name} form={form} />
    </FormDialog>
  );
}
