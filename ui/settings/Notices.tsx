import { Checkbox, HTMLTable, Switch } from '@blueprintjs/core';
import { useForm } from 'react-hook-form';
import type { PersonalChannel } from '../../src/shared/notices/notices.ts';
import { LEVELS, type Level } from '../../src/shared/notices/events.ts';
import type { PreferencesView } from '../../src/shared/notices/preferences.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { changesIn } from '../kit/form/changesIn.ts';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { allSent } from '../kit/form/inTurn.ts';
import { storeChoice } from '../kit/form/storeChoice.ts';
import { useDraft } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { Loading } from '../kit/Loading.tsx';
import { Panel } from '../kit/Panel.tsx';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { Deliveries } from './Deliveries.tsx';
import { NoticeEmail } from './NoticeEmail.tsx';
import { Webhooks } from './Webhooks.tsx';

const CHANNELS: readonly PersonalChannel[] = ['telegram', 'email'];

/** The settings that are saved at once when they are chosen. */
type Choice = Partial<Pick<PreferencesView, 'levels' | 'critical_always' | 'every_project' | 'language'>>;

/** Returns a function that saves a choice. */
function useSave(): (choice: Choice) => void {
  const t = useT();
  return (body) =>
    void storeChoice({
      read: 'GET /api/notice-preferences',
      shown: (now) => now && { data: { ...now.data, ...body } },
      store: () => call('PUT /api/notice-preferences', { body, keepalive: true }),
      failed: t('notices.save_failed'),
    });
}

/** Which levels go over which channel. */
function LevelGrid({ preferences }: { preferences: PreferencesView }) {
  const t = useT();
  const save = useSave();
  const { levels } = preferences;
  const toggle = (channel: PersonalChannel, level: Level): void => {
    const on = levels[channel];
    const next = on.includes(level) ? on.filter((one) => one !== level) : [...on, level];
    save({ levels: { ...levels, [channel]: next } });
  };
  return (
    <HTMLTable compact className="level-grid">
      <thead>
        <tr>
          <th scope="col">
            <T k="notices.level" />
          </th>
          {CHANNELS.map((channel) => (
            <th key={channel} scope="col">
              <T k={`notices.channel_${channel}`} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {LEVELS.map((level) => (
          <tr key={level}>
            <th scope="row">
              <T k={`notices.level_${level}`} />
            </th>
            {CHANNELS.map((channel) => (
              <td key={channel}>
                <Checkbox
                  checked={levels[channel].includes(level)}
                  aria-label={`${t(`notices.level_${level}`)}: ${t(`notices.channel_${channel}`)}`}
                  onChange={() => toggle(channel, level)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  );
}

const orNull = (text: string): string | null => (text === '' ? null : text);

interface TimeTexts {
  quiet_from: string;
  quiet_until: string;
  zone: string;
  escalate_to: string;
  escalate_after: string;
}

const timesOf = ({ quiet_from, quiet_until, zone, escalate_to, escalate_after }: TimeTexts) => ({
  quiet_from: orNull(quiet_from),
  quiet_until: orNull(quiet_until),
  zone,
  escalate_to: orNull(escalate_to.trim()),
  escalate_after: Number(escalate_after),
});

// A quiet time has both ends or none.
const TOGETHER = [['quiet_from', 'quiet_until']] as const;

/** When it is quiet, and who is told next. */
function Times({ preferences }: { preferences: PreferencesView }) {
  const t = useT();
  const form = useForm<TimeTexts>({
    values: {
      quiet_from: preferences.quiet_from ?? '',
      quiet_until: preferences.quiet_until ?? '',
      zone: preferences.zone,
      escalate_to: preferences.escalate_to ?? '',
      escalate_after: String(preferences.escalate_after),
    },
    resetOptions: { keepDirtyValues: true },
  });
  useDraft(form, 'notice times', [], 'page');
  const { defaultValues } = form.formState;
  const submit = useSubmit(
    form,
    async (values) => {
      const body = changesIn(timesOf(defaultValues as TimeTexts), timesOf(values), TOGETHER);
      await call('PUT /api/notice-preferences', { body });
      await refresh('GET /api/notice-preferences');
      form.reset(values);
      toast.success(t('notices.saved'));
    },
    t('notices.save_failed'),
  );
  return (
    <form onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy} className="settings-form">
      <TextField form={form} name="quiet_from" placeholder="23:00" label={<T k="notices.quiet_from" />} />
      <TextField form={form} name="quiet_until" placeholder="07:00" label={<T k="notices.quiet_until" />} />
      <TextField form={form} name="zone" label={<T k="notices.zone" />} autoComplete="off" lang="en" />
      <TextField
        form={form}
        name="escalate_to"
        label={<T k="notices.escalate_to" />}
        help={<T k="notices.escalate_help" />}
        autoComplete="off"
        autoCapitalize="none"
      />
      <TextField
        form={form}
        name="escalate_after"
        type="number"
        min={1}
        max={1_440}
        label={<T k="notices.escalate_after" />}
      />
      <Failure text={submit.failure} />
      <BusyButton type="submit" intent="primary" busy={submit.busy} text={<T k="notices.save" />} />
    </form>
  );
}

function Switches({ preferences, isAdmin }: { preferences: PreferencesView; isAdmin: boolean }) {
  const save = useSave();
  return (
    <div className="settings-fields">
      <Switch
        checked={preferences.critical_always}
        onChange={({ currentTarget }) => save({ critical_always: currentTarget.checked })}
        labelElement={<T k="notices.critical_always" />}
      />
      {isAdmin && (
        <Switch
          checked={preferences.every_project}
          onChange={({ currentTarget }) => save({ every_project: currentTarget.checked })}
          labelElement={<T k="notices.every_project" />}
        />
      )}
      <Switch
        checked={preferences.language === 'en'}
        onChange={({ currentTarget }) => save({ language: currentTarget.checked ? 'en' : 'ru' })}
        labelElement={<T k="notices.in_english" />}
      />
    </div>
  );
}

/** The user's notice settings: channels, levels and times; for administrators also the webhooks and the deliveries. */
export function Notices() {
  const { user } = useSession();
  const { data: answer } = useCall('GET /api/notice-preferences', {}, { after: allSent });
  if (!answer) return <Loading />;
  const preferences = answer.data;
  const isAdmin = user?.role === 'admin';
  return (
    <div className="settings-panels">
      <Panel title={<T k="notices.what" />}>
        <LevelGrid preferences={preferences} />
        <Switches preferences={preferences} isAdmin={isAdmin} />
      </Panel>
      <NoticeEmail preferences={preferences} />
      <Panel title={<T k="notices.when" />}>
        <Times preferences={preferences} />
      </Panel>
      {isAdmin && <Webhooks />}
      {isAdmin && <Deliveries />}
    </div>
  );
}
