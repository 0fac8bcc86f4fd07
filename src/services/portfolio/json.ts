/**
 * An answer that SQLite has already written as JSON: parsing it only to write it again would cost more than the query.
 * `T` is what it holds.
 */
export interface JsonText<T> {
  readonly bytes: Uint8Array;
  readonly holds?: T;
}

export const isJsonText = (value: unknown): value is JsonText<unknown> =>
  (value as JsonText<unknown> | null)?.bytes instanceof Uint8Array;

/** Parses the JSON, for a caller that needs the rows. */
export const parseJsonText = <T>(value: JsonText<T>): T => JSON.parse(new TextDecoder().decode(value.bytes)) as T;
