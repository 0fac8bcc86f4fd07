import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call, type AnswerOf } from '../kit/api.ts';

const PLAN = 'POST /api/transfer_explicit/plan';

export type TransferPlanned = AnswerOf<typeof PLAN>['data'];

/** The two domains of a transfer. */
export interface TransferPair {
  sourceDomainId: number;
  targetDomainId: number;
}

export const BLOCKED = 'transfer.target_blocked';
const UNTOLD = new Set<string>(['transfer.site_unclear', 'transfer.site_different']);
const GRAVE = new Set<string>([BLOCKED, 'transfer.dns_many', ...UNTOLD]);

/** Whether a warning says that a person has to look at the reserve. */
export const isUntold = ({ code }: { code: string }): boolean => UNTOLD.has(code);

/** What a confirmation of a warning goes by: one of the reserve's page stands for the page that is shown, and for no later one. */
export const confirmedAs = (warning: { code: string }, { readiness }: TransferPlanned): string =>
  isUntold(warning) ? `${warning.code} ${readiness.seen?.print ?? ''}` : warning.code;

/** Whether a warning has to be confirmed, one by one: such a plan is carried out only for those who insist. */
export const isGrave = ({ code }: { code: string }): boolean => GRAVE.has(code);

/** What a transfer would change. Looked at anew each time: the plan that is carried out has to be the one that was read. */
export const useTransferPlan = (pair: TransferPair | undefined): UseQueryResult<TransferPlanned> =>
  useQuery<TransferPlanned>({
    queryKey: [PLAN, pair],
    queryFn: async ({ signal }) => (await call(PLAN, { body: pair, signal })).data,
    enabled: pair !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
