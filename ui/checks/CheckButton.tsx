import { useState } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call, refresh } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

/** Starts a check of the caller's domains; the tray shows its progress. */
export async function startChecks(t: (key: Key) => string): Promise<void> {
  try {
    const { message } = await call('POST /api/trigger_background_task', { body: {} });
    toast.success(message || t('dashboard.check_started'));
    await refresh('GET /api/operations');
  } catch (error) {
    toastFailure(t('dashboard.check_failed'), error);
  }
}

/** The button that starts a check of the caller's domains. */
export function CheckButton({ text, isFilled = false }: { text: Key; isFilled?: boolean }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    await startChecks(t);
    setBusy(false);
  };
  return (
    <BusyButton intent={isFilled ? 'primary' : 'none'} busy={busy} text={<T k={text} />} onClick={() => void start()} />
  );
}
