import { z } from 'zod';
import { message } from '../text.ts';

/** The kinds of entries of a timeline, in the order of their filters. `log` is for administrators alone. */
export const TIMELINE_KINDS = ['blocks', 'moves', 'checks', 'dns', 'site', 'positions', 'purchases', 'log'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

const KIND = `(?:${TIMELINE_KINDS.join('|')})`;
// A time, the number of a source, and the number of a row there.
const CURSOR = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z)_(\d{1,2})_(\d{1,15})$/;

/** The query of a timeline: `kinds` are separated by commas, all without it; `before` is the `next` of the part before. */
export const TimelineQuery = z.object({
  kinds: z
    .string()
    .max(200)
    .regex(new RegExp(`^${KIND}(?:,${KIND})*$`), message('error.invalid_value'))
    .optional(),
  before: z.string().max(60).regex(CURSOR, message('error.invalid_value')).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});
export type TimelineQuery = z.infer<typeof TimelineQuery>;

/** The place of an entry among all: the time, then the number of its source, then that of its row. */
export interface Place {
  at: string;
  source: number;
  row: number;
}

/** Writes a place as the cursor of a page. */
export const cursorOf = ({ at, source, row }: Place): string => `${at}_${source}_${row}`;

/** Reads a cursor; null: it is none. */
export function placeOf(cursor: string): Place | null {
  const [, at, source, row] = CURSOR.exec(cursor) ?? [];
  return at === undefined ? null : { at, source: Number(source), row: Number(row) };
}

/** How an entry is meant: what is bad asks for somebody, what is good ends that. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'plain';

/** An entry of a timeline; `Text` is Message in services and text at the doors. */
export interface TimelineEntry<Text = string> {
  /** Names it among the entries of its domain; the cursor of its place. */
  id: string;
  kind: TimelineKind;
  at: string;
  tone: Tone;
  text: Text;
  /** The login of who has asked for it; null: the program, or it is not known. */
  who: string | null;
  /** The operation that has done it, which the reader may open. */
  operation_id: number | null;
}

/** A part of a timeline, the newest entries first; `next` is the cursor of the following part, null at the end. */
export interface Timeline<Text = string> {
  data: TimelineEntry<Text>[];
  next: string | null;
}
