import { useState, type FormEvent } from 'react';
import { call, messageOf, refresh } from '../kit/api.ts';
import { AffectedDomains, useAffected } from './AffectedDomains.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';

/** Disables TLS 1.3 for all domains: shows how many it reaches; the tray shows the progress. */
export function DisableTls({ onClose }: { onClose: () => void }) {
  const t = useT();
  const affected = useAffected();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const count = affected?.domains ?? 0;
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
    if (!busy && count > 0) void start();
  };
  return (
    <FormDialog
      width={720}
      title={<T k="protect.tls_title" />}
      action={<T k="protect.tls_action" n={count} />}
      intent="warning"
      disabled={count === 0}
      note={affected?.domains === 0 && <T k="protect.no_domains" />}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      {affected && count > 0 && (
        <p>
          <T k="protect.tls_text" n={count} accounts={affected.accounts} /> <T k="protect.tls_undo" />
        </p>
      )}
      <AffectedDomains />
    </FormDialog>
  );
}
