import type { UseQueryResult } from '@tanstack/react-query';
import { call, type AnswerOf } from '../kit/api.ts';
import { useAnew } from '../kit/dialog/useAnew.ts';

const PLAN = 'POST /api/transfer_explicit/plan';

export type TransferPlanned = AnswerOf<typeof PLAN>['data'];

/** The two domains of a transfer. */
export interface TransferPair {
  sourceDomainId: number;
  targetDomainId: number;
}

export const BLOCKED = 'transfer.target_blocked';
const UNTOLD = new Set<string>(['transfer.site_unclear', 'transfer.site_sends_back', 'transfer.site_different']);
const GRAVE = new Set<string>([BLOCKED, 'transfer.dns_many', ...UNTOLD]);

/** Returns whether a warning asks for a person to look at the reserve's page. */
export const isUntold = ({ code }: { code: string }): boolean => UNTOLD.has(code);

/**
 * Returns the key of a confirmation; for a page warning it includes the page's print, so a changed page needs a new
 * one.
 */
export const confirmedAs = (warning: { code: string }, { readiness }: TransferPlanned): string =>
  isUntold(warning) ? `${warning.code} ${readiness.seen?.print ?? ''}` : warning.code;

/** Returns whether a warning needs a confirmation of its own before the plan may run. */
export const isGrave = ({ code }: { code: string }): boolean => GRAVE.has(code);

/** Loads the plan of a transfer. */
export const useTransferPlan = (pair: TransferPair | undefined): UseQueryResult<TransferPlanned> =>
  useAnew<TransferPlanned>({
    queryKey: [PLAN, pair],
    queryFn: async ({ signal }) => (await call(PLAN, { body: pair, signal })).data,
    enabled: pair !== undefined,
  });
