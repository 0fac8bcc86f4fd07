import { z } from 'zod';
import { TRANSFER_TYPES } from '../portfolio/domains.ts';
import { Selection } from '../portfolio/domain-selection.ts';
import { Id, line, message } from '../text.ts';

const Reference = z.union([Id, z.null()]).optional();

/** The fields that many domains are given at once; null takes a reference away, an absent one stays. */
const BulkFields = z
  .strictObject({
    project_id: Reference,
    transfer_type: z.enum(TRANSFER_TYPES).optional(),
    server_id: Reference,
    cloudflare_account_id: Reference,
  })
  .refine((fields) => Object.values(fields).some((value) => value !== undefined), message('bulk.no_fields'));

/** An act on many domains: an edit of some fields, or the deletion. */
export const BulkAct = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('edit'), fields: BulkFields }),
  z.strictObject({ kind: z.literal('delete') }),
]);
export type BulkAct = z.output<typeof BulkAct>;

/** A request to look: nothing is written. */
export const BulkPlanInput = z.object({ selection: Selection, act: BulkAct });

/**
 * A request to act. `expected` is that of the plan: where other domains are selected by now, nothing is done. A filter needs it, so
 * that nobody acts on rows that nobody has seen.
 */
export const BulkInput = BulkPlanInput.extend({ expected: line(100).optional() }).refine(
  ({ selection, expected }) => selection.filter === undefined || expected !== undefined,
  { error: message('error.required'), path: ['expected'] },
);
export type BulkInput = z.output<typeof BulkInput>;

/** Domains that stay as they are for one reason; the first names of them. `Text` is Message in services and text at the doors. */
export interface LeftAsIs<Text> {
  reason: Text;
  code: string;
  count: number;
  names: string[];
}

/**
 * Plan of an act on many domains: of `count` selected ones `changes` are worked on, `same` are as wanted already, the others
 * are left. `missing` are names that are not in the portfolio of the caller. `expected` stands for the selected ones.
 */
export interface BulkPlan<Text = string> {
  count: number;
  expected: string;
  changes: number;
  same: number;
  left: LeftAsIs<Text>[];
  missing: string[];
  /** The first names that would be worked on. */
  names: string[];
}

/** Result of an act on many domains: `undo` is the number of the change that can be taken back; null: nothing has changed. */
export interface BulkDone<Text = string> extends BulkPlan<Text> {
  message: Text;
  undo: number | null;
}

/** The same at the doors, where the message stands beside it. */
export type BulkResult = Omit<BulkDone, 'message'>;

/** Numbers of domains after an undo; `kept` have been changed since, or can't be restored. */
export interface BulkUndone {
  restored: number;
  kept: number;
}
