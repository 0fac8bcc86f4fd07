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

/** Writes a list as JSON part by part: whatever else waits has its turn where the next part is waited for. */
export async function jsonOfParts<T>(parts: AsyncIterable<readonly T[]>): Promise<JsonText<T[]>> {
  const written: Buffer[] = [];
  for await (const part of parts) {
    if (part.length === 0) continue;
    written.push(Buffer.from(`${written.length === 0 ? '' : ','}${JSON.stringify(part).slice(1, -1)}`));
  }
  return { bytes: Buffer.concat([Buffer.from('['), ...written, Buffer.from(']')]) };
}

/** Parses the JSON, for a caller that needs the rows. */
export const parseJsonText = <T>(value: JsonText<T>): T => JSON.parse(new TextDecoder().decode(value.bytes)) as T;
