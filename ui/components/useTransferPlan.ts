import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { LineAct } from '../../src/shared/plan-words.ts';
import type { Readiness } from '../../src/shared/transfer-plan.ts';
import { call } from '../api.ts';

const PLAN = 'POST /api/transfer_explicit/plan';

// SHIM
export interface TransferPlanned {
  readiness: Readiness;
  acts: LineAct[];
  failed: { item: string; error: string }[];
  hash: string;
}
type Loose = (name: string, input: unknown) => Promise<{ data: TransferPlanned; message: string }>;
export const looseCall = call as unknown as Loose;

/** The two domains of a transfer. `force`: the reserve is taken although something speaks against it. */
export interface TransferPair {
  sourceDomainId: number;
  targetDomainId: number;
  force: boolean;
}

/** What a transfer would change. Looked at anew each time: the plan that is carried out has to be the one that was read. */
export const useTransferPlan = (pair: TransferPair | undefined): UseQueryResult<TransferPlanned> =>
  useQuery<TransferPlanned>({
    queryKey: [PLAN, pair],
    queryFn: async ({ signal }) => (await looseCall(PLAN, { body: pair, signal })).data,
    enabled: pair !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
