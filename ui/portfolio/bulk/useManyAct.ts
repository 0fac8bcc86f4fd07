import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { BulkResult, BulkPlan } from '../../../src/shared/system/bulk.ts';
import { ApiError, call, messageOf } from '../../kit/api.ts';
import type { Submit } from '../../kit/form/Form.tsx';
import { useT } from '../../kit/language.ts';
import { refreshDomains } from '../../operations/operations.ts';
import type { ChosenBody, ManyAct } from './useChosen.ts';

const PLAN = 'POST /api/domains_bulk/plan';

/** Asks what an act would do; while it is undefined, for nothing. It stays as it was shown until it is asked for again. */
const usePlan = (selection: ChosenBody, act: ManyAct | undefined): UseQueryResult<BulkPlan> =>
  useQuery<BulkPlan>({
    queryKey: [PLAN, selection, act],
    queryFn: async ({ signal }) => (await call(PLAN, { body: { selection, act: act as ManyAct }, signal })).data,
    enabled: act !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });

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
  const plan = usePlan(selection, act);
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
