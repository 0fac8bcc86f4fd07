import type { UseQueryResult } from '@tanstack/react-query';
import type { BulkPlan } from '../../../src/shared/system/bulk.ts';
import { call, type Call, type Input } from '../../kit/api.ts';
import { useAnew } from '../../kit/dialog/useAnew.ts';

type BodyOf<C extends Call> = Exclude<NonNullable<Input<C>['body']>, FormData>;
type PlanBody = BodyOf<'POST /api/domains_bulk/plan'>;

/** Chosen domains as the server takes them: by names, or by a filter but for some names. */
export type ChosenBody = PlanBody['selection'];
/** An act on our own rows. */
export type ManyAct = PlanBody['act'];
/** Work outside of the database, such as checks, DNS changes and deploys. */
export type ManyWork = BodyOf<'POST /api/domains_bulk/work/plan'>['work'];

/** Requests the plan of an act on many domains, while `isAsked`. The plan stays as it was shown until it is requested again. */
export const usePlan = <C extends 'POST /api/domains_bulk/plan' | 'POST /api/domains_bulk/work/plan'>(
  name: C,
  body: Partial<BodyOf<C>>,
  isAsked: boolean,
): UseQueryResult<BulkPlan> =>
  useAnew<BulkPlan>({
    queryKey: [name, body],
    queryFn: async ({ signal }) => (await call(name, { body: body as never, signal })).data,
    enabled: isAsked,
    retry: false,
  });
