import { useState, type FormEvent } from 'react';
import { call, messageOf, refresh } from '../kit/api.ts';
import { AffectedDomains, useAffected } from './AffectedDomains.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';
import { RunningSwitch, useRunningSwitch } from './RunningSwitch.tsx';

/** Disables TLS 1.3 for all domains: shows how many it reaches; the tray shows the progress, and so does the dialog that is opened while it runs. */
export function DisableTls({ onClose }: { onClose: () => void }) {
  const t = useT();
  const affected = useAffected();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { running, isKnown } = useRunningSwitch('tls');
  const count = affected?.domains ?? 0;
  const disabled = count === 0 || !isKnown || running !== undefined;
  const start = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { message } = await call('POST /api/update-all-domains-tls', { body: { state: 'off' } });
      toast.success(message || t('protect.tls_off_started'));
      void refresh('GET /api/operations');
      onClose();
    } catch (error) {
      setFailure(`${t('protect.tls_failed')}\n${messageOf(error)}`);
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && !disabled) void start();
  };
  return (
    <FormDialog
      width={720}
      title={<T k="protect.tls_title" />}
      action={<T k="protect.tls_action" n={count} />}
      intent="warning"
      disabled={disabled}
      note={affected?.domains === 0 && <T k="protect.no_domains" />}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      {running && <RunningSwitch operation={running} />}
      {affected && count > 0 && !running && (
        <p>
          <T k="protect.tls_text" n={count} accounts={affected.accounts} /> <T k="protect.tls_undo" />
        </p>
      )}
      <AffectedDomains />
    </FormDialog>
  );
}
