import { Checkbox } from '@blueprintjs/core';
import { useForm } from 'react-hook-form';
import { call, refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failure, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useReveal } from '../kit/form/Password.tsx';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';

const EMPTY = { current: '', password: '', sign_out: true, revoke_tokens: false };

/** The own password, changed by the current one. */
export function Password() {
  const t = useT();
  const form = useForm({ defaultValues: EMPTY });
  const reveal = useReveal();
  const submit = useSubmit(
    form,
    async (values) => {
      await call('PUT /api/password', { body: values });
      form.reset(EMPTY);
      toast.success(t('password.changed'));
      await refresh('GET /api/sessions', 'GET /api/tokens', 'GET /api/expiry_feed');
    },
    t('password.failed'),
  );
  return (
    <Panel title={<T k="password.title" />}>
      <form className="people-form" onSubmit={submit.onSubmit} noValidate aria-busy={submit.busy}>
        <TextField
          form={form}
          name="current"
          label={<T k="password.current" />}
          autoComplete="current-password"
          type="password"
        />
        <TextField
          form={form}
          name="password"
          label={<T k="password.new" />}
          help={<T k="setup.password_help" />}
          autoComplete="new-password"
          {...reveal}
        />
        <Checkbox {...form.register('sign_out')} labelElement={<T k="password.sign_out" />} />
        <Checkbox {...form.register('revoke_tokens')} labelElement={<T k="password.revoke_tokens" />} />
        <Failure text={submit.failure} />
        <BusyButton type="submit" intent="primary" busy={submit.busy} text={<T k="password.change" />} />
      </form>
    </Panel>
  );
}
