import { craft, field, u64, type Crafted } from '../zips.ts';
import { INDEX, many, MB, named, once, packed, page, prose, text, zeros, type Sample } from './samples.ts';

const MORE_OF_PROSE = once(() => packed(prose(8.5 * MB)));
const HUGE = once(() => packed(zeros(200 * MB)));

/** A file whose content is a whole entry: the directory lists both. */
function nestedEntry(): Buffer {
  const inner = craft([page('b.html')]);
  const entry = inner.subarray(0, inner.indexOf('PK\u0001\u0002'));
  const outer: Crafted = { name: 'index.html', data: entry, method: 0 };
  const at = craft([outer]).indexOf(entry);
  return craft([outer, { ...page('b.html'), at }]);
}

/** Archives that would fill the disk or the memory, or whose entries overlap. */
export const BOMBS: Sample[] = [
  {
    name: '200 MiB of nothing',
    make: () => craft([INDEX, { name: 'zeros.bin', ...HUGE() }]),
    verdict: 'zip.file_large',
  },
  { name: '9 MiB of nothing', make: named('zeros.bin', { data: zeros(9 * MB) }), verdict: 'zip.ratio' },
  { name: '9 MiB of no bytes', make: named('zeros.bin', { packed: text(''), size: 9 * MB }), verdict: 'zip.ratio' },
  {
    name: '200 MiB said to be a kilobyte',
    make: () => craft([INDEX, { name: 'a.txt', ...HUGE(), size: 1000 }]),
    verdict: 'zip.size_lies',
  },
  {
    name: '9 MiB said to be nothing',
    make: named('a.txt', { data: prose(9 * MB), size: 0 }),
    verdict: 'zip.size_lies',
  },
  { name: 'less than is said', make: named('a.txt', { data: text('abc'), size: 1000 }), verdict: 'zip.size_lies' },
  {
    name: '51 MiB in six files',
    make: () => craft(Array.from({ length: 6 }, (_, index) => ({ name: `${index}.html`, ...MORE_OF_PROSE() }))),
    verdict: 'zip.large',
  },
  { name: '100,000 empty entries', make: () => craft(many(100_000), { zip64: {} }), verdict: 'zip.many' },
  { name: '60,000 empty entries', make: () => craft(many(60_000)), verdict: 'zip.many' },
  { name: 'a file too many', make: () => craft(many(5_001)), verdict: 'zip.many' },
  { name: '10,001 folders', make: () => craft(many(10_001, (number) => `${number}/`)), verdict: 'zip.many' },
  { name: 'ZIP64 of 2^40 entries', make: () => craft([INDEX], { zip64: { count: 1n << 40n } }), verdict: 'zip.many' },
  {
    name: 'ZIP64 of 2^40 bytes',
    make: named('a.txt', { size: 0xffffffff, extra: field(1, u64(1n << 40n)) }),
    verdict: 'zip.file_large',
  },
  {
    name: 'ZIP64 without the size',
    make: named('a.txt', { size: 0xffffffff, extra: field(1, Buffer.alloc(0)) }),
    verdict: 'zip.damaged',
  },
  { name: 'an entry in another', make: nestedEntry, verdict: 'zip.overlap' },
  {
    name: 'two names for one place',
    make: () => craft([INDEX, { ...page('index.htm'), at: 0 }]),
    verdict: 'zip.two_names',
  },
  {
    name: 'data into the directory',
    make: named('a.txt', { method: 0, data: text('ab'), packedSize: 40, size: 40 }),
    verdict: 'zip.overlap',
  },
];
