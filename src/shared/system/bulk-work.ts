import { z } from 'zod';
import { Selection } from '../portfolio/domain-selection.ts';
import { Hostname } from '../portfolio/domains.ts';
import { line } from '../text.ts';

/**
 * Work on many domains that reaches outside, as operations: `dns` points each at its own server through its own CDN account, `attach` lets
 * each redirect to `to`, `transfer` moves those that are blocked to reserves of their projects.
 */
export const BulkWork = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('check') }),
  z.strictObject({ kind: z.literal('dns') }),
  z.strictObject({ kind: z.literal('under_attack'), action: z.enum(['enable', 'disable']) }),
  z.strictObject({ kind: z.literal('tls'), state: z.enum(['on', 'off']) }),
  z.strictObject({ kind: z.literal('deploy') }),
  z.strictObject({ kind: z.literal('transfer'), use_last_reserve: z.boolean().optional() }),
  z.strictObject({ kind: z.literal('attach'), to: Hostname }),
]);
export type BulkWork = z.output<typeof BulkWork>;

export const BulkWorkPlanInput = z.object({ selection: Selection, work: BulkWork });
export type BulkWorkPlanInput = z.output<typeof BulkWorkPlanInput>;

/** A request to begin; `expected` is that of the plan, without which nothing begins. */
export const BulkWorkInput = BulkWorkPlanInput.extend({ expected: line(200) });
export type BulkWorkInput = z.output<typeof BulkWorkInput>;

/** As many sites are deployed at once: each is built before. */
export const MOST_DEPLOYED = 200;
/** Blocked domains of as many projects are moved at once: each is looked at outside before. */
export const MOST_PROJECTS = 20;
