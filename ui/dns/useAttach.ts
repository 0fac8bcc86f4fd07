import { useState } from 'react';
import type { AttachPlanned } from './AttachPlan.tsx';
import { ApiError, call, messageOf, refresh, type Input } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { toast } from '../kit/toasts.tsx';

type AttachBody = Exclude<NonNullable<Input<'POST /api/manage_dns/plan'>['body']>, FormData>;

/** Asks for the plan of a request to attach domains, then sends it. A plan that is stale is replaced by a new one. */
export function useAttach(body: AttachBody, onSent: () => void) {
  const t = useT();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [plan, setPlan] = useState<AttachPlanned>();
  const look = async (): Promise<void> => setPlan((await call('POST /api/manage_dns/plan', { body })).data);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      const reason = messageOf(error);
      setFailure(reason === t('ui.failed') ? t('page_rules.send_failed') : reason);
      // The new plan appears under the message.
      if (error instanceof ApiError && error.code === 'plan_stale') await look().catch(() => setPlan(undefined));
    }
    setBusy(false);
  };
  return {
    failure,
    busy,
    plan,
    review: () => attempt(look),
    send: () =>
      attempt(async () => {
        await call('POST /api/manage_dns', { body: { ...body, plan: plan?.hash } });
        toast.success(t('page_rules.sent'));
        setPlan(undefined);
        onSent();
        await refresh('GET /api/operations', 'GET /api/domain_page_rules/:id');
      }),
    back: (): void => {
      setFailure(undefined);
      setPlan(undefined);
    },
  };
}
