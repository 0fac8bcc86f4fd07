import { crc32 } from 'node:zlib';
import { craft, field, SITE, zipOf } from '../zips.ts';
import { INDEX, many, MB, named, names, once, packed, prose, text, type Sample } from './samples.ts';

const sites = Object.keys(SITE);

const TEN_OF_PROSE = once(() => packed(prose(10 * MB)));

const DOS_NAME = Buffer.from([0xae]);

function crcOf(bytes: Buffer): Buffer {
  const crc = Buffer.alloc(4);
  crc.writeUInt32LE(crc32(bytes));
  return crc;
}

/** Archives that are taken, with the paths of their files. */
export const GOOD: Sample[] = [
  { name: 'a site', make: () => zipOf(SITE), verdict: sites },
  {
    name: 'a folder around everything',
    make: () => zipOf(Object.fromEntries(Object.entries(SITE).map(([path, content]) => [`my site/${path}`, content]))),
    verdict: sites,
  },
  {
    name: 'what macOS and Windows leave',
    make: () => zipOf({ ...SITE, '__MACOSX/._index.html': 'x', '.DS_Store': 'x', 'css/Thumbs.db': 'x' }),
    verdict: sites,
  },
  {
    name: 'a folder around everything but litter',
    make: () => zipOf({ 'site/index.html': 'x', '__MACOSX/site/._index.html': 'x' }),
    verdict: ['index.html'],
  },
  { name: 'stored, not packed', make: () => craft([{ ...INDEX, method: 0 }]), verdict: ['index.html'] },
  {
    name: 'folders of their own',
    make: names('index.html', 'css/', 'css/a.css'),
    verdict: ['index.html', 'css/a.css'],
  },
  { name: 'an empty file', make: named('empty.txt', { data: text('') }), verdict: ['index.html', 'empty.txt'] },
  {
    name: 'UTF-8 that does not say so',
    make: named('о нас.html', { flags: 0 }),
    verdict: ['index.html', 'о нас.html'],
  },
  {
    name: 'a name in Info-ZIP’s field',
    // The header's name is in a DOS code page; the field refers to that name by its CRC-32.
    make: named(DOS_NAME, {
      flags: 0,
      extra: field(0x7075, Buffer.concat([text('\u0001'), crcOf(DOS_NAME), text('о')])),
    }),
    verdict: ['index.html', 'о'],
  },
  { name: 'sizes behind the data', make: () => craft([{ ...INDEX, descriptor: true }]), verdict: ['index.html'] },
  { name: 'a comment', make: () => craft([INDEX], { comment: text('made by hand') }), verdict: ['index.html'] },
  { name: 'ZIP64 that need not be', make: () => craft([INDEX], { zip64: {} }), verdict: ['index.html'] },
  {
    name: 'dot files',
    make: names('index.html', '.htaccess', '.well-known/x'),
    verdict: ['index.html', '.htaccess', '.well-known/x'],
  },
  {
    name: 'zeros, few',
    make: named('zeros.bin', { data: Buffer.alloc(64 * 1024) }),
    verdict: ['index.html', 'zeros.bin'],
  },
  {
    name: 'as many files as may be',
    make: () => craft(many(5_000)),
    verdict: many(5_000).map(({ name }) => String(name)),
  },
  {
    name: 'as much as may be',
    make: () => craft(Array.from({ length: 5 }, (_, index) => ({ name: `${index}.html`, ...TEN_OF_PROSE() }))),
    verdict: ['0.html', '1.html', '2.html', '3.html', '4.html'],
  },
];
