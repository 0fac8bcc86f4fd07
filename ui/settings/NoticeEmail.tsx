import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { PreferencesView } from '../../src/shared/notices/preferences.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { PasswordDialog } from '../people/PasswordDialog.tsx';
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

/** A field for the address and, where one is confirmed, the password; the code is asked for once it was sent. */
function Address({ preferences, onSent }: { preferences: PreferencesView; onSent?: () => void }) {
  const t = useT();
  const { email, email_confirmed_at } = preferences;
  const isConfirmed = email_confirmed_at !== null;
  const values = { email: isConfirmed ? '' : (email ?? ''), password: '' };
  const form = useForm({ values, resetOptions: { keepDirtyValues: true } });
  const submit = useSubmit(
    form,
    async ({ email: to, password }) => {
      await call('POST /api/notice-preferences/email', { body: { email: to, ...(isConfirmed && { password }) } });
      await refresh('GET /api/notice-preferences');
      onSent?.();
      toast.success(t('notices.code_sent'));
    },
    t('notices.save_failed'),
  );
  return (
    <form onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy} className="settings-form">
      <TextField form={form} name="email" type="email" label={<T k="notices.email" />} autoComplete="email" />
      {isConfirmed && (
        <TextField
          form={form}
          name="password"
          label={<T k="password.current" />}
          type="password"
          autoComplete="current-password"
        />
      )}
      <Failure text={submit.failure} />
      <BusyButton type="submit" busy={submit.busy} text={<T k="notices.send_code" />} />
    </form>
  );
}

function Confirmed({ preferences }: { preferences: PreferencesView }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState<'removal' | 'address'>();
  const { email, email_next } = preferences;
  const test = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await call('POST /api/notices/test', { body: { channel: 'email' } });
      toast.success(t('notices.test_sent'));
    } catch (error) {
      toastFailure(t('notices.save_failed'), error);
    }
    setBusy(false);
  };
  const remove = async (password: string): Promise<void> => {
    await call('POST /api/notice-preferences/email/remove', { body: { password } });
    setOpened(undefined);
    await refresh('GET /api/notice-preferences');
    toast.success(t('notices.saved'));
  };
  return (
    <div className="settings-fields">
      <p>
        <T k="notices.email_is" email={email ?? ''} />
      </p>
      <div className="settings-buttons">
        <BusyButton busy={busy} text={<T k="notices.send_test" />} onClick={() => void test()} />
        <Button variant="minimal" text={<T k="notices.email_other" />} onClick={() => setOpened('address')} />
        <Button variant="minimal" text={<T k="notices.email_remove" />} onClick={() => setOpened('removal')} />
      </div>
      {opened === 'address' && <Address preferences={preferences} onSent={() => setOpened(undefined)} />}
      {email_next !== null && (
        <>
          <p className="muted">
            {email_next}: <T k="notices.email_next" />
          </p>
          <Code key={email_next} />
        </>
      )}
      {opened === 'removal' && (
        <PasswordDialog
          title="notices.email_remove_title"
          action="notices.email_remove"
          danger
          run={remove}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

/** The e-mail address for notices, which is confirmed by a code. */
export function NoticeEmail({ preferences }: { preferences: PreferencesView }) {
  const isDemo = useCall('GET /api/health').data?.demo === true;
  const { email, email_confirmed_at, channels } = preferences;
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
      {email_confirmed_at !== null ? (
        <Confirmed preferences={preferences} />
      ) : (
        <>
          <Address preferences={preferences} />
          {email !== null && <Code key={email} />}
        </>
      )}
    </Panel>
  );
}
