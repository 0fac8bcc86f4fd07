// The mutants of the index look-up that no test can detect.
import type { Equivalent } from './mutate.ts';

const OTHERS = 'More entries are looked at, of other buckets, whose hashes are others.';

/** The equivalents of index-lookup.ts. */
export const INDEX_LOOKUP: Equivalent[] = [
  {
    source: 'const READ_WHOLE_ABOVE = 2000;',
    change: '2000 → (2000 + 1)',
    why: 'Names are looked up on the disk or in memory, with the same verdicts.',
  },
  {
    source: 'const index = hosts.length > READ_WHOLE_ABOVE ? await readIndex(file, header) : header;',
    change: 'hosts.length > READ_WHOLE_ABOVE → (hosts.length) >= (READ_WHOLE_ABOVE)',
    why: 'Names are looked up on the disk or in memory, with the same verdicts.',
  },
  {
    source: 'if (pages > sums.length) {',
    change: 'pages > sums.length → (pages) >= (sums.length)',
    why: 'Buffers of the same size are made once more.',
  },
  {
    source: 'const typed = Buffer.alloc(1024);',
    change: '1024 → (1024 + 1)',
    why: 'What is written there is never that long.',
  },
  {
    source: 'if (length <= 0) return UNKNOWN;',
    change: '0 → (0 + 1)',
    why: 'A name has a dot between two labels.',
  },
  {
    source: 'let maskStart = -1;',
    change: '1 → (1 + 1)',
    why: 'Any place before the name says that there is no mask.',
  },
  {
    source: 'let labels = 0;',
    change: '0 → (0 + 1)',
    why: 'It is asked for a mask of one label, which no list has.',
  },
  {
    source:
      'if (name[i] === DOT && ++labels > 1 && (find(finishHash(hash), name, i + 1, length) & LISTED.mask) !== 0) {',
    change: '++labels > 1 → (++labels) >= (1)',
    why: 'It is asked for a mask of one label, which no list has.',
  },
  {
    source: 'const last = buckets + 1 + tables[bucket + 1]! * 2;',
    change: '1 → (1 + 1)',
    nth: 1,
    why: OTHERS,
  },
  {
    source: 'for (let entry = buckets + 1 + tables[bucket]! * 2; entry < last; entry += 2) {',
    change: 'buckets + 1 → (buckets) - (1)',
    why: OTHERS,
  },
  {
    source: 'for (let entry = buckets + 1 + tables[bucket]! * 2; entry < last; entry += 2) {',
    change: 'entry < last → (entry) <= (last)',
    why: OTHERS,
  },
  {
    source: 'const record = readNames(place, Math.min(MAX_NAME + 1, namesBytes - place));',
    change: '1 → (1 + 1)',
    why: 'A byte behind the longest record is read as well.',
  },
  {
    source: 'let bytes = Buffer.alloc(PAGE_BYTES * 4);',
    change: '4 → (4 + 1)',
    why: 'There is room that is not used.',
  },
  {
    source: 'if (start < partStart || length <= 0 || start + length > partEnd) throw new DamagedPage();',
    change: '0 → (0 + 1)',
    why: 'Nothing that is one byte long is read.',
  },
  {
    source: 'if (!isWhole) throw new DamagedPage();',
    change: 'throw new DamagedPage(); → (left out)',
    why: 'What is left of the page before has another sum.',
  },
  {
    source: 'return bytes.subarray(start - from, start - from + length);',
    change: 'start - from → (start) + (from)',
    nth: 2,
    why: OTHERS,
  },
];

/** The equivalents of index-whole.ts. */
export const INDEX_WHOLE: Equivalent[] = [
  {
    source: 'const PIECE_BYTES = 1 << 20;',
    change: '1 → (1 + 1)',
    why: 'The file is read in pieces of another size.',
  },
  {
    source: 'const PIECE_BYTES = 1 << 20;',
    change: '20 → (20 + 1)',
    why: 'The file is read in pieces of another size.',
  },
  {
    source: 'for (let at = 0; at < length; at += PIECE_BYTES) {',
    change: 'at < length → (at) <= (length)',
    why: 'A piece without bytes is read at the end.',
  },
];
