/**
 * An answer that SQLite has already written as JSON: parsing it only to write it again would cost more than the query.
 * `T` is what it holds.
 */
export interface JsonText<T> {
  readonly jsonText: string;
  readonly holds?: T;
}

export const jsonText = <T>(text: string): JsonText<T> => ({ jsonText: text });

export const isJsonText = (value: unknown): value is JsonText<unknown> =>
  typeof (value as JsonText<unknown> | null)?.jsonText === 'string';

/** The value itself, for a caller that needs the rows. */
export const parseJsonText = <T>(value: JsonText<T>): T => JSON.parse(value.jsonText) as T;
