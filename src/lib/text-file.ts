import { isUtf8 } from 'node:buffer';

/** A text with its encoding, so that it can be written back unchanged. */
export interface TextFile {
  text: string;
  encoding: string;
  /** Its byte order mark, which is not in `text`. */
  mark: Uint8Array;
}

type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be';

const MARKS: readonly { encoding: Unicode; mark: Uint8Array }[] = [
  { encoding: 'utf-8', mark: Uint8Array.of(0xef, 0xbb, 0xbf) },
  { encoding: 'utf-16le', mark: Uint8Array.of(0xff, 0xfe) },
  { encoding: 'utf-16be', mark: Uint8Array.of(0xfe, 0xff) },
];

/** Returns the byte order mark that bytes begin with, and the encoding that it stands for; undefined: there is none. */
const markOf = (bytes: Uint8Array): { encoding: Unicode; mark: Uint8Array } | undefined =>
  MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));

/** Decodes UTF-8, and UTF-16 that begins with its byte order mark; no mark is in the text. Null for other bytes. */
export function decodeUnicode(bytes: Uint8Array): { encoding: Unicode; text: string } | null {
  const { encoding, mark } = markOf(bytes) ?? { encoding: 'utf-8', mark: [] };
  const body = bytes.subarray(mark.length);
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (encoding === 'utf-8') return isUtf8(buffer) ? { encoding, text: buffer.toString('utf8') } : null;
  if (buffer.length % 2 === 1) return null;
  const little = encoding === 'utf-16le' ? buffer : Buffer.from(buffer).swap16();
  return { encoding, text: little.toString('utf16le') };
}

// Control characters that text does not contain; allowed are blanks, line ends and the end of a DOS file.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000E-\u0019\u001C-\u001F]/;

const NO_MARK: Uint8Array = new Uint8Array();
// Browsers do not look for a declaration further down either.
const LOOKED_AT = 4096;
const DECLARED =
  /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]+)|^@charset\s+"([\w-]+)"|^<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w-]+)/i;

/** Returns the encoding that a text declares, by its standard name; null if it declares none, or an unknown one. */
function declaredIn(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, LOOKED_AT)).toString('latin1');
  const label = DECLARED.exec(head)?.slice(1).find(Boolean);
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

// Tables of encodings with one byte a character, by which text is written back byte by byte.
const tables = new Map<string, Map<string, number> | null>();

function tableOf(encoding: string): Map<string, number> | null {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const characters = Array.from(new TextDecoder(encoding).decode(all));
  const byCharacter = new Map(characters.map((character, byte) => [character, byte]));
  byCharacter.delete('\uFFFD');
  // An encoding with longer characters decodes hardly more than ASCII of these bytes.
  const table = characters.length === 256 && byCharacter.size > 200 ? byCharacter : null;
  tables.set(encoding, table);
  return table;
}

function read(bytes: Uint8Array, encoding: string, mark = NO_MARK): TextFile | null {
  const body = bytes.subarray(mark.length);
  if (encoding.startsWith('utf-16') && body.length % 2 === 1) return null;
  if (encoding === 'utf-8' && !isUtf8(body)) return null;
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(body);
  const isLost = encoding !== 'utf-8' && text.includes('\uFFFD');
  return isLost || CONTROLS.test(text) ? null : { text, encoding, mark };
}

/**
 * Decodes text: by its byte order mark, by the one-byte encoding that it declares, as UTF-8, else as windows-1251. Null for
 * bytes that are no text, or could not be written back unchanged.
 */
export function readText(bytes: Uint8Array): TextFile | null {
  const marked = markOf(bytes);
  if (marked) return read(bytes, marked.encoding, marked.mark);
  const declared = declaredIn(bytes);
  if (declared !== null && tableOf(declared)) return read(bytes, declared);
  return isUtf8(bytes) ? read(bytes, 'utf-8') : read(bytes, 'windows-1251');
}

function utf16(text: string, encoding: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

function oneByteEach(text: string, table: Map<string, number>, escape: (character: string) => string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = table.get(character);
    if (byte !== undefined) bytes.push(byte);
    else for (const one of escape(character)) bytes.push(table.get(one) ?? 0x3f);
  }
  return Uint8Array.from(bytes);
}

/** Encodes a text with a file's encoding and mark; `escape` replaces characters that a one-byte encoding lacks. */
export function writeText(
  text: string,
  { encoding, mark }: Pick<TextFile, 'encoding' | 'mark'>,
  escape: (character: string) => string,
): Uint8Array {
  const table = encoding.startsWith('utf-') ? null : tableOf(encoding);
  const body = table
    ? oneByteEach(text, table, escape)
    : encoding === 'utf-8'
      ? Buffer.from(text)
      : utf16(text, encoding);
  return mark.length === 0 ? body : Buffer.concat([mark, body]);
}
