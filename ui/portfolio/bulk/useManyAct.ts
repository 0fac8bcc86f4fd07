import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { BulkResult, BulkPlan } from '../../../src/shared/system/bulk.ts';
import { ApiError, call, messageOf } from '../../kit/api.ts';
import type { Submit } from '../../kit/form/Form.tsx';
import { useT } from '../../kit/language.ts';
import { refreshDomains } from '../../operations/operations.ts';
import { usePlan, type ChosenBody, type ManyAct } from './usePlan.ts';

interface Many {
  plan: UseQueryResult<BulkPlan>;
  submit: Submit;
}

/**
 * Plans an act on many domains and does it as planned. Where other domains are selected by now, it says so and shows the new plan.
 * `isReady` has the last word before it is sent.
 */
export function useManyAct(
  selection: ChosenBody,
  act: ManyAct | undefined,
  { isReady, onDone }: { isReady: (plan: BulkPlan) => boolean; onDone: (message: string, done: BulkResult) => void },
): Many {
  const t = useT();
  const plan = usePlan('POST /api/domains_bulk/plan', { selection, ...(act && { act }) }, act !== undefined);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async (wanted: ManyAct, expected: string): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { message, data } = await call('POST /api/domains_bulk', { body: { selection, act: wanted, expected } });
      await refreshDomains();
      onDone(message, data);
    } catch (error) {
      setFailure(`${t('bulk.failed')}\n${messageOf(error)}`);
      if (error instanceof ApiError) await plan.refetch();
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy || plan.isFetching || !act || !plan.data || plan.data.changes === 0 || !isReady(plan.data)) return;
    void run(act, plan.data.expected);
  };
  return { plan, submit: { busy, failure, onSubmit } };
}
