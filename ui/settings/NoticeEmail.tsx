import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { PreferencesView } from '../../src/shared/notices/preferences.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

function Code() {
  const t = useT();
  const form = useForm({ defaultValues: { code: '' } });
  const submit = useSubmit(
    form,
    async ({ code }) => {
      await call('POST /api/notice-preferences/email/confirm', { body: { code: code.trim() } });
      await refresh('GET /api/notice-preferences');
      toast.success(t('notices.email_confirmed'));
    },
    t('notices.save_failed'),
  );
  return (
    <form onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy} className="settings-form">
      <TextField
        form={form}
        name="code"
        label={<T k="notices.code" />}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
      />
      <Failure text={submit.failure} />
      <BusyButton type="submit" intent="primary" busy={submit.busy} text={<T k="notices.confirm" />} />
    </form>
  );
}

function Confirmed({ email }: { email: string }) {
  const t = useT();
  const [busy, setBusy] = useState<'test' | 'remove'>();
  const act = async (which: 'test' | 'remove', work: () => Promise<unknown>, said: string): Promise<void> => {
    if (busy) return;
    setBusy(which);
    try {
      await work();
      await refresh('GET /api/notice-preferences');
      toast.success(said);
    } catch (error) {
      toastFailure(t('notices.save_failed'), error);
    }
    setBusy(undefined);
  };
  const test = () => call('POST /api/notices/test', { body: { channel: 'email' } });
  return (
    <div className="settings-fields">
      <p>
        <T k="notices.email_is" email={email} />
      </p>
      <BusyButton
        busy={busy === 'test'}
        text={<T k="notices.send_test" />}
        onClick={() => void act('test', test, t('notices.test_sent'))}
      />
      <BusyButton
        variant="minimal"
        busy={busy === 'remove'}
        text={<T k="notices.email_remove" />}
        onClick={() => void act('remove', () => call('DELETE /api/notice-preferences/email'), t('notices.saved'))}
      />
    </div>
  );
}

/** The e-mail address for notices, which is confirmed by a code. */
export function NoticeEmail({ preferences }: { preferences: PreferencesView }) {
  const t = useT();
  const isDemo = useCall('GET /api/health').data?.demo === true;
  const { email, email_confirmed_at, channels } = preferences;
  const form = useForm({ values: { email: email ?? '' }, resetOptions: { keepDirtyValues: true } });
  const submit = useSubmit(
    form,
    async (body) => {
      await call('POST /api/notice-preferences/email', { body });
      await refresh('GET /api/notice-preferences');
      toast.success(t('notices.code_sent'));
    },
    t('notices.save_failed'),
  );
  if (!channels.includes('email')) {
    return (
      <Panel title={<T k="notices.channel_email" />}>
        <p className="muted">
          <T k={isDemo ? 'notices.no_email_demo' : 'notices.no_email'} />
        </p>
      </Panel>
    );
  }
  return (
    <Panel title={<T k="notices.channel_email" />}>
      {email !== null && email_confirmed_at !== null ? (
        <Confirmed email={email} />
      ) : (
        <>
          <form onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy} className="settings-form">
            <TextField form={form} name="email" type="email" label={<T k="notices.email" />} autoComplete="email" />
            <Failure text={submit.failure} />
            <BusyButton type="submit" busy={submit.busy} text={<T k="notices.send_code" />} />
          </form>
          {email !== null && <Code key={email} />}
        </>
      )}
    </Panel>
  );
}
