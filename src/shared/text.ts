import { z } from 'zod';
import type { Key } from './i18n/index.ts';

/** Types the message of a schema rule as a key of the catalogues, which is translated where it is shown. */
export const message = (key: Key): Key => key;

// C0 and C1 controls and lone surrogates can be neither shown nor stored everywhere (PostgreSQL refuses NUL). Direction
// overrides reverse the text after them, so that a name reads as another.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;
// oxlint-disable-next-line no-control-regex
const LINE_BREAKS = /[\u0009\u000A\u000D\u2028\u2029]/;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

const isClean = (value: string): boolean => !CONTROLS.test(value) && !LONE_SURROGATE.test(value);

/** Text of one line: trimmed, no control characters, at most `max` characters. `none` is said where no text was given. */
export const line = (max: number, none?: Key) =>
  z
    .string(none && { error: none })
    .trim()
    .max(max, message('error.too_long'))
    .refine((value) => isClean(value) && !LINE_BREAKS.test(value), message('error.characters'));

/** Text kept as typed, with its blanks and line breaks; no control characters, at most `max` characters. */
export const verbatim = (max: number) =>
  z.string().max(max, message('error.too_long')).refine(isClean, message('error.characters'));

const IdForms = [
  z.number(),
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
] as const;
const Serial = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** A positive integer, as JSON number or, where a form or a path gives only text, as digits. */
export const Id = z.union(IdForms).pipe(Serial);

/** An `Id` that a form has its own words for: `none` is what is said where nothing was chosen. */
export const chosenId = (none: Key) => z.union(IdForms, { error: none }).pipe(Serial);

/** A reference that may be empty: forms send `''` or null for "none". */
export const OptionalId = z
  .union([z.literal('').transform(() => null), z.null(), Id])
  .optional()
  .transform((value) => value ?? null);
