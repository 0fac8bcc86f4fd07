import { useState } from 'react';
import { call, refresh } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { toast, toastFailure } from '../kit/toasts.tsx';

export type TransferAct = 'cancel' | 'retry' | 'restore';

/** Does what an operation allows, by its number, and reads the page anew; `busy` is the act under way. */
export function useTransferActs(id: number): {
  busy: TransferAct | undefined;
  run: (act: TransferAct) => Promise<void>;
} {
  const t = useT();
  const [busy, setBusy] = useState<TransferAct>();
  const run = async (act: TransferAct): Promise<void> => {
    setBusy(act);
    try {
      const { message } = await call(`POST /api/operations/:id/${act}`, { params: { id }, body: {} });
      toast.success(message);
    } catch (error) {
      toastFailure(t('transfer_page.act_failed'), error);
    }
    await refresh('GET /api/transfer_pages/:id', 'GET /api/operations', 'GET /api/operations/:id');
    setBusy(undefined);
  };
  return { busy, run };
}
