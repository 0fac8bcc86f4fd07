// Archives as strangers might send them, and the expected verdict on each.
import { crc32, deflateRawSync } from 'node:zlib';
import { craft, field, SITE, u64, zipOf, type Crafted } from './zips.ts';

/** An archive and its expected verdict: the key of the refusal, or the paths of its files. */
export interface Sample {
  name: string;
  make: () => Buffer;
  verdict: string | string[];
}

const MB = 1024 * 1024;
const text = (value: string): Buffer => Buffer.from(value);
const page = (name: string): Crafted => ({ name, data: text(`<title>TITLE</title>${name}`) });
const INDEX = page('index.html');

/** Memoizes: some archives are large, so each is made at its first use. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const packed = (bytes: Buffer): Pick<Crafted, 'data' | 'packed'> => ({
  data: bytes,
  packed: deflateRawSync(bytes, { level: 1 }),
});

/** Text that deflate compresses about tenfold: no bomb. */
const LINES = Array.from(
  { length: 1000 },
  (_, line) => `<p>${(line * 2654435761) % 4294967296} of a page, and what follows`,
).join('\n');
const prose = (length: number): Buffer => Buffer.alloc(length, LINES);
const zeros = (length: number): Buffer => Buffer.alloc(length);

const TEN_OF_PROSE = once(() => packed(prose(10 * MB)));
const MORE_OF_PROSE = once(() => packed(prose(8.5 * MB)));
const HUGE = once(() => packed(zeros(200 * MB)));

/** An archive with an index page and an entry of this name. */
const named =
  (name: string | Buffer, more: Partial<Crafted> = {}) =>
  (): Buffer =>
    craft([INDEX, { name, ...more }]);
const names =
  (...list: string[]) =>
  (): Buffer =>
    craft(list.map((name) => ({ name, data: text(name.endsWith('/') ? '' : 'x') })));
const many = (count: number, name = (number: number): string => `${number}.html`): Crafted[] =>
  Array.from({ length: count }, (_, number) => ({ name: name(number), data: text(''), method: 0 }));

const sites = Object.keys(SITE);

const DOS_NAME = Buffer.from([0xae]);

function crcOf(bytes: Buffer): Buffer {
  const crc = Buffer.alloc(4);
  crc.writeUInt32LE(crc32(bytes));
  return crc;
}

const GOOD: Sample[] = [
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

const NO_ZIP: Sample[] = [
  ['nothing', ''],
  ['a text', 'not a ZIP at all, but long enough to be one'],
  ['a picture', '\u0089PNG\r\n\u001a\n and so on and on'],
  ['gzip', '\u001f\u008b\b and so on and on and on'],
  ['RAR', 'Rar!\u001a\u0007 and so on and on and on'],
].map(([name = '', bytes = '']) => ({ name, make: () => Buffer.from(bytes, 'latin1'), verdict: 'template.only_zip' }));

const BROKEN: Sample[] = [
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

/** A file whose content is a whole entry: the directory lists both. */
function nestedEntry(): Buffer {
  const inner = craft([page('b.html')]);
  const entry = inner.subarray(0, inner.indexOf('PK\u0001\u0002'));
  const outer: Crafted = { name: 'index.html', data: entry, method: 0 };
  const at = craft([outer]).indexOf(entry);
  return craft([outer, { ...page('b.html'), at }]);
}

const BOMBS: Sample[] = [
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

// Each rule with names that violate it.
const NAMES: Record<string, (string | Buffer)[]> = {
  'zip.parent': ['../evil.html', 'css/../../evil.html', 'css/..', '..'],
  'zip.absolute': ['/etc/passwd', '//host/share', 'C:/evil.html', 'c:evil.html'],
  'zip.backslash': ['..\\evil.html', 'css\\site.css', '\\\\host\\share'],
  'zip.control': ['a\0.html', 'a\nb.html', 'a\rb', 'a\u001bb', '\u202elmth.exe', '__MACOSX/a\nb'],
  'zip.dots': ['./a.html', 'a//b.html', 'a/./b', ''],
  'zip.leading': ['-rf', 'css/-x', '~', 'css/~root/a.css'],
  'zip.reserved': ['CON', 'css/aux.css', 'lpt1.txt', 'COM²', 'dot.', 'blank ', 'css./a', 'a.html:stream'],
  'zip.encoding': [Buffer.from([0xaf, 0xe0, 0xa8]), Buffer.from([0xc0, 0xaf])],
  'zip.long': ['x'.repeat(256), 'ж'.repeat(128), `${'a/'.repeat(20)}b`, `${'abcdefgh/'.repeat(119)}b`],
  'zip.nested': ['a.zip', 'css/a.ZIP', 'a.tar.gz', 'a.rar', 'a.7z', 'a.jar', 'a.phar'],
};

const SHOWN = JSON.stringify;

const NAMED: Sample[] = Object.entries(NAMES).flatMap(([verdict, list]) =>
  list.map((name) => ({
    name: `the name ${(Buffer.isBuffer(name) ? name.toString('hex') : SHOWN(name)).slice(0, 60)}`,
    make: named(name),
    verdict,
  })),
);

const KINDS: Sample[] = [
  { name: 'a link', make: named('link', { mode: 0o120777, data: text('/etc/passwd') }), verdict: 'zip.link' },
  { name: 'a link to a folder', make: named('link/', { mode: 0o120777 }), verdict: 'zip.link' },
  { name: 'a device', make: named('null', { mode: 0o020666 }), verdict: 'zip.link' },
  { name: 'a disk', make: named('sda', { mode: 0o060660 }), verdict: 'zip.link' },
  { name: 'a pipe', make: named('pipe', { mode: 0o010644 }), verdict: 'zip.link' },
  { name: 'a folder that is called as a file', make: named('css', { mode: 0o040755 }), verdict: 'zip.link' },
  { name: 'a password', make: named('a.txt', { flags: 0x801 }), verdict: 'zip.encrypted' },
  { name: 'a password of AES', make: named('a.txt', { flags: 0x801, method: 99 }), verdict: 'zip.encrypted' },
  { name: 'strong encryption', make: named('a.txt', { flags: 0x841 }), verdict: 'zip.damaged' },
  { name: 'bzip2', make: named('a.txt', { method: 12 }), verdict: 'zip.method' },
  { name: 'LZMA', make: named('a.txt', { method: 14 }), verdict: 'zip.method' },
  { name: 'a ZIP by another name', make: named('a.dat', { data: zipOf(SITE) }), verdict: 'zip.nested' },
  {
    name: 'gzip by another name',
    make: named('a.dat', { data: Buffer.from('1f8b0800', 'hex') }),
    verdict: 'zip.nested',
  },
  { name: 'the same twice', make: names('index.html', 'index.html'), verdict: 'zip.duplicate' },
  { name: 'another case', make: names('index.html', 'Index.html'), verdict: 'zip.case' },
  { name: 'a folder of another case', make: names('css/a.css', 'CSS/b.css'), verdict: 'zip.case' },
  { name: 'another spelling in Unicode', make: names('й.html', 'и\u0306.html'), verdict: 'zip.case' },
  { name: 'a file and a folder', make: names('css', 'css/site.css'), verdict: 'zip.file_and_folder' },
  { name: 'a folder and a file', make: names('css/site.css', 'css'), verdict: 'zip.file_and_folder' },
];

/** Every archive. */
export const CORPUS: readonly Sample[] = [...GOOD, ...BROKEN, ...BOMBS, ...NAMED, ...KINDS].map((sample) => {
  const { name, make, verdict } = sample;
  return { name, make: once(make), verdict };
});
