import { z } from 'zod';
import { INVISIBLE } from '../invisible.ts';
import { Id, line, message } from '../text.ts';

/** The most characters of a keyword, and the most keywords that are added at once. */
export const LONGEST_KEYWORD = 512;
export const MOST_KEYWORDS = 10_000;

// Two keywords that look the same would be read, and paid, twice.
const Keyword = z
  .string()
  .overwrite((value) => value.normalize('NFC'))
  .trim()
  .min(1, message('keyword.empty'))
  .refine((value) => !INVISIBLE.test(value), message('error.characters'))
  .pipe(line(LONGEST_KEYWORD));

/** A keyword to add to a project. */
export const KeywordInput = z.object({ keyword: Keyword, project_id: Id });
export type KeywordInput = z.infer<typeof KeywordInput>;

const Address = line(2_000).refine(
  (value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)),
  message('keyword.target_invalid'),
);

const BAD_FREQUENCY = message('keyword.frequency_bad');

/** An edit of a keyword. Absent fields keep their value; an empty target, or null, clears the field. */
export const KeywordChange = z.object({
  tags: z
    .array(line(60).min(1, message('keyword.tag_empty')))
    .max(20, message('keyword.tags_many'))
    .transform((tags) => [...new Set(tags)])
    .optional(),
  target_url: z
    .union([Address, z.null()])
    .transform((value) => value || null)
    .optional(),
  frequency: z
    .number(BAD_FREQUENCY)
    .int(BAD_FREQUENCY)
    .min(0, BAD_FREQUENCY)
    .max(1e9, BAD_FREQUENCY)
    .nullable()
    .optional(),
});
export type KeywordChange = z.infer<typeof KeywordChange>;

/** A keyword of a project with what belongs to it. */
export interface KeywordView {
  id: number;
  value: string;
  tags: string[];
  target_url: string | null;
  /** How often people ask for it in a month; null: not given. */
  frequency: number | null;
}

/** Returns the form in which a keyword is compared with others: lower case, single blanks. */
export const normalizeKeyword = (value: string): string =>
  value.normalize('NFC').trim().toLowerCase().replaceAll(/\s+/g, ' ');

/** Parses a keyword. Throws a ZodError with the reason. */
export const parseKeyword = (value: string) => Keyword.safeParse(value);
