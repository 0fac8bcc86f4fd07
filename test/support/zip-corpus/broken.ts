import { deflateRawSync } from 'node:zlib';
import { craft, SITE, zipOf } from '../zips.ts';
import { INDEX, many, named, names, page, prose, text, type Sample } from './samples.ts';

const NO_ZIP: Sample[] = [
  ['nothing', ''],
  ['a text', 'not a ZIP at all, but long enough to be one'],
  ['a picture', '\u0089PNG\r\n\u001a\n and so on and on'],
  ['gzip', '\u001f\u008b\b and so on and on and on'],
  ['RAR', 'Rar!\u001a\u0007 and so on and on and on'],
].map(([name = '', bytes = '']) => ({ name, make: () => Buffer.from(bytes, 'latin1'), verdict: 'template.only_zip' }));

/** Files that are no archive, or a damaged one. */
export const BROKEN: Sample[] = [
  ...NO_ZIP,
  {
    name: 'a page before the ZIP',
    make: () => craft([INDEX], { prefix: text('<html>') }),
    verdict: 'template.only_zip',
  },
  { name: 'the end alone', make: () => craft([]), verdict: 'zip.empty' },
  { name: 'folders alone', make: names('a/', 'b/'), verdict: 'zip.empty' },
  { name: 'litter alone', make: () => zipOf({ '__MACOSX/x': 'x', '.DS_Store': 'x' }), verdict: 'zip.empty' },
  { name: 'half of it', make: () => zipOf(SITE).subarray(0, 200), verdict: 'zip.damaged' },
  { name: 'more behind its end', make: () => Buffer.concat([zipOf(SITE), text('more')]), verdict: 'zip.damaged' },
  {
    name: 'an entry that the end does not count',
    make: () => craft([INDEX, page('b')], { count: 1 }),
    verdict: 'zip.damaged',
  },
  { name: 'an entry that is not there', make: () => craft([INDEX], { count: 2 }), verdict: 'zip.damaged' },
  { name: '65,537 entries, said to be one', make: () => craft(many(65_537), { count: 1 }), verdict: 'zip.damaged' },
  { name: 'a directory elsewhere', make: () => craft([INDEX], { directoryAt: 3 }), verdict: 'zip.damaged' },
  {
    name: 'ZIP64 ending nowhere',
    make: () => craft([INDEX], { zip64: { locatorAt: 1n << 40n } }),
    verdict: 'zip.damaged',
  },
  {
    name: 'ZIP64 directory nowhere',
    make: () => craft([INDEX], { zip64: { directoryAt: 1n << 40n } }),
    verdict: 'zip.damaged',
  },
  { name: 'an entry nowhere', make: () => craft([{ ...INDEX, at: 0x7fffffff }]), verdict: 'zip.damaged' },
  { name: 'another CRC', make: named('a.txt', { crc: 1 }), verdict: 'zip.entry_damaged' },
  {
    name: 'no deflate',
    make: named('a.txt', { packed: Buffer.alloc(40, 0xff), size: 100 }),
    verdict: 'zip.entry_damaged',
  },
  {
    name: 'deflate that breaks off',
    make: named('a.txt', { packed: deflateRawSync(prose(900)).subarray(0, 90), size: 900 }),
    verdict: 'zip.entry_damaged',
  },
  { name: 'two names for one entry', make: named('b.txt', { localName: 'c.txt' }), verdict: 'zip.two_names' },
];
