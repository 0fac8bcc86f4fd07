import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { call, refresh, useCall } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';
import './Telegram.css';

const NEXT_STEP_MS = 15_000;

/** The Telegram name that receives messages. Closes once the server has saved a change. */
export function Telegram({ onClose }: { onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const { data: user } = useCall('GET /api/session');
  // Text typed before the stored name has loaded is kept.
  const form = useForm({ values: { telegram: user?.telegram ?? '' }, resetOptions: { keepDirtyValues: true } });
  const submit = useSubmit(
    form,
    async ({ telegram }) => {
      const { changes, code } = await call('PUT /api/update_telegram', { body: { telegram } });
      if (changes === 0) {
        form.setError('telegram', { message: t('dashboard.telegram_same') }, { shouldFocus: true });
        return;
      }
      await refresh('GET /api/session', 'GET /api/telegram');
      // The bot shows a code, which is entered in the settings.
      const action = { text: t('telegram.next_step'), run: () => void navigate('/settings?section=telegram') };
      onClose();
      toast.success(t('dashboard.telegram_saved'), code === null ? {} : { timeout: NEXT_STEP_MS, action });
      // There is a code for every name, unless the bot is off.
      if (code === null && telegram !== '') toast.info(t('telegram.state_off'));
    },
    t('dashboard.telegram_failed'),
  );
  return (
    <FormDialog
      width={400}
      title={<T k="dashboard.telegram_title" />}
      action={<T k="dashboard.telegram_submit" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="telegram"
        label={<T k="dashboard.telegram_label" />}
        placeholder="username"
        leftElement={<span className="at-sign">@</span>}
        autoCapitalize="none"
        autoComplete="off"
      />
    </FormDialog>
  );
}
