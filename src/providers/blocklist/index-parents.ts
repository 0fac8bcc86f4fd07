import { isPublicSuffix } from '../../lib/zone-name.ts';
import type { IndexBody } from './index-build.ts';
import { LISTED, LISTED_SHIFT, placeIn } from './index-layout.ts';

/**
 * Marks the names of a list that does not tell masks from names, so that each blocks all below it as well; but for public
 * suffixes, below which others register. Takes a microsecond a name.
 */
export function markParents({ buckets, tables }: Pick<IndexBody, 'buckets' | 'tables'>, names: Uint8Array): void {
  const bytes = Buffer.from(names.buffer, names.byteOffset, names.byteLength);
  for (let at = buckets + 2; at < tables.length; at += 2) {
    const place = placeIn(tables[at]!);
    const name = bytes.toString('latin1', place + 1, place + 1 + bytes[place]!);
    if (!isPublicSuffix(name)) tables[at]! |= LISTED.mask << LISTED_SHIFT;
  }
}
