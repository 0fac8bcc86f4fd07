import { SITE, zipOf } from '../zips.ts';
import { named, names, text, type Sample } from './samples.ts';

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

/** An archive for each name that is refused. */
export const NAMED: Sample[] = Object.entries(NAMES).flatMap(([verdict, list]) =>
  list.map((name) => ({
    name: `the name ${(Buffer.isBuffer(name) ? name.toString('hex') : SHOWN(name)).slice(0, 60)}`,
    make: named(name),
    verdict,
  })),
);

/** Entries of a refused kind or content, or that exclude each other. */
export const KINDS: Sample[] = [
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
