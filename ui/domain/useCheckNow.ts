import { useCallback, useState } from 'react';
import { isFinal } from '../../src/shared/operations.ts';
import { call, refresh } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { refreshDomains, useFinished, useOperations } from '../operations/operations.ts';

/** Checks a domain on request; busy until the check has ended. The domains are read anew when any operation ends. */
export function useCheckNow(id: number): { isBusy: boolean; check: () => Promise<void> } {
  const t = useT();
  const [isAsking, setAsking] = useState(false);
  const [asked, setAsked] = useState<number>();
  const operations = useOperations();
  const onFinish = useCallback(() => void refreshDomains(), []);
  useFinished(operations, onFinish);
  const check = async (): Promise<void> => {
    setAsking(true);
    try {
      const { message, operation } = await call('POST /api/domains/:id/check', { params: { id }, body: {} });
      setAsked(operation.id);
      toast.success(message);
      await refresh('GET /api/operations');
    } catch (error) {
      toastFailure(t('domain_page.check_failed'), error);
    }
    setAsking(false);
  };
  const isRunning = operations.some(({ id, state }) => id === asked && !isFinal(state));
  return { isBusy: isAsking || isRunning, check };
}
