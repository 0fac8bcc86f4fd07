import { Callout, Intent } from '@blueprintjs/core';
import { useState } from 'react';
import type { Held, OperationView } from '../../src/shared/operations.ts';
import { call, refresh } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { refreshDomains, useOperations } from '../operations/operations.ts';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

function HeldRun({ operation, held: { change, count, total } }: { operation: OperationView; held: Held }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const accept = async (): Promise<void> => {
    setBusy(true);
    try {
      const { message } = await call('POST /api/operations/:id/accept', { params: { id: operation.id }, body: {} });
      await Promise.all([refresh('GET /api/operations'), refreshDomains()]);
      toast.success(message || t('dashboard.held_accepted'));
    } catch (error) {
      toastFailure(t('dashboard.held_failed'), error);
    }
    setBusy(false);
  };
  return (
    <Callout intent={Intent.WARNING} className="dashboard-note">
      <p>
        <T k={change === 'freed' ? 'dashboard.held_freed' : 'dashboard.held'} count={count} total={total} />
      </p>
      <BusyButton busy={busy} text={<T k="dashboard.held_accept" />} onClick={() => void accept()} />
    </Callout>
  );
}

/** Check results held because they would block or free a large part at once: a person decides. */
export function HeldRuns() {
  return useOperations().flatMap((operation) =>
    operation.held ? [<HeldRun key={operation.id} operation={operation} held={operation.held} />] : [],
  );
}
