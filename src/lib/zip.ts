import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { AppError } from '../shared/errors.ts';
import { checkName, isArchiveName, isLitter, Paths, refusal } from './zip-names.ts';

const MB = 1024 * 1024;

/** Limits: number of files, unpacked bytes in all and of one file, and compression ratio of a large file. */
export const ZIP_LIMITS = { files: 5_000, total: 50 * MB, file: 10 * MB, ratio: 100 };
// Limit of entries of any kind: folders and litter do not count as files, but must be limited, too.
const MAX_RECORDS = 2 * ZIP_LIMITS.files;
// Smaller files may have any ratio: a short file of one repeated character is no bomb.
const FREE_RATIO_BYTES = 64 * 1024;

const LOCAL_HEADER = 0x04034b50;
const END_BYTES = 22;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const STORED = 0;
const DEFLATED = 8;
const UTF8_NAME = 0x7075;

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

// First bytes of archives, independent of the name: ZIP, an empty ZIP, RAR, 7z, gzip, bzip2, xz, zstd.
const ARCHIVE_BEGINNINGS = [
  '504b0304',
  '504b0506',
  '526172211a07',
  '377abcaf271c',
  '1f8b08',
  '425a68',
  'fd377a585a',
  '28b52ffd',
];

const inflate = promisify(inflateRaw) as (bytes: Buffer, options: object) => Promise<Buffer>;

/** An unpacked file of an archive. */
export interface UnpackedFile {
  path: string;
  content: Buffer;
}

interface Found {
  path: string;
  entry: Entry;
}

const damaged = (cause: unknown): AppError =>
  new AppError('invalid', 'zip.damaged', {}, { code: 'bad_archive', cause });

/** Turns an error of the library into one about a damaged archive; our own errors pass. */
async function orDamaged<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof AppError ? error : damaged(error);
  });
}

/** Returns the name of an entry: UTF-8 from Info-ZIP's field, else from the raw bytes. Throws for other encodings: old code pages can't be told apart. */
function nameOf(entry: Entry): string {
  const hasField = entry.extraFields.some(({ id }) => id === UTF8_NAME);
  const name = hasField
    ? getFileNameLowLevel(0x800, entry.fileNameRaw, entry.extraFields, true)
    : entry.fileNameRaw.toString('utf8');
  if (name.includes('\uFFFD')) throw refusal('zip.encoding', name);
  if (name === '') throw refusal('zip.dots', name);
  return name;
}

/** Whether an entry is a folder. Throws for links and devices: they lead out of the folder that a site is unpacked to. */
function isFolder(name: string, entry: Entry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  const byName = name.endsWith('/');
  if (type !== 0 && type !== (byName ? FOLDER : REGULAR)) throw refusal('zip.link', name);
  return byName;
}

function checkEntry(name: string, entry: Entry): void {
  if (entry.isEncrypted()) throw refusal('zip.encrypted', name);
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) throw refusal('zip.method', name);
  if (isArchiveName(name)) throw refusal('zip.nested', name);
  const { uncompressedSize: size, compressedSize } = entry;
  if (size > ZIP_LIMITS.file) throw refusal('zip.file_large', name, { limit: ZIP_LIMITS.file / MB });
  if (size > FREE_RATIO_BYTES && size > compressedSize * ZIP_LIMITS.ratio) {
    throw refusal('zip.ratio', name, { limit: ZIP_LIMITS.ratio });
  }
}

/** Lists the files of the directory, checked by their entries. Nothing is unpacked yet. */
async function readDirectory(zip: ZipFile): Promise<Found[]> {
  const found: Found[] = [];
  const paths = new Paths();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    checkName(name);
    const folder = isFolder(name, entry);
    const path = name.replace(/\/$/, '');
    if (isLitter(path)) continue;
    paths.add(path, folder);
    if (folder) continue;
    checkEntry(name, entry);
    found.push({ path, entry });
    total += entry.uncompressedSize;
    if (found.length > ZIP_LIMITS.files) throw refusal('zip.many', '', { limit: ZIP_LIMITS.files });
    if (total > ZIP_LIMITS.total) throw refusal('zip.large', '', { limit: ZIP_LIMITS.total / MB });
  }
  return found;
}

/** Returns where the directory must end: other programs would see entries beyond the counted ones, which we do not check. */
function directoryEnd(bytes: Buffer, commentBytes: number): number {
  const end = bytes.length - END_BYTES - commentBytes;
  const locator = end - ZIP64_LOCATOR_BYTES;
  const isZip64 = locator >= 0 && bytes.readUInt32LE(locator) === ZIP64_LOCATOR;
  return isZip64 ? Number(bytes.readBigUInt64LE(locator + 8)) : end;
}

// The position; the library's type declarations wrongly say boolean.
const cursorOf = (zip: ZipFile): number => Number(zip.readEntryCursor);

interface Located extends Found {
  from: number;
  start: number;
  end: number;
}

/** Locates the bytes of each file. Overlapping files are refused: they let a small archive unpack to a large one. */
async function locate(zip: ZipFile, found: Found[], directory: number): Promise<Located[]> {
  const located: Located[] = [];
  for (const { path, entry } of found) {
    const header = await zip.readLocalFileHeaderPromise(entry);
    if (!header.fileName.equals(entry.fileNameRaw)) throw refusal('zip.two_names', path);
    const end = header.fileDataStart + entry.compressedSize;
    if (end > directory) throw refusal('zip.overlap', path);
    located.push({ path, entry, from: entry.relativeOffsetOfLocalHeader, start: header.fileDataStart, end });
  }
  const inPlace = located.toSorted((one, other) => one.from - other.from);
  for (const [index, { path, from }] of inPlace.entries()) {
    if (index > 0 && from < (inPlace[index - 1]?.end ?? 0)) throw refusal('zip.overlap', path);
  }
  return located;
}

/** Unpacks a file; stops as soon as there is more than its entry declares. */
async function unpack(bytes: Buffer, { path, entry, start, end }: Located): Promise<Buffer> {
  const packed = bytes.subarray(start, end);
  const size = entry.uncompressedSize;
  let content = packed;
  if (entry.compressionMethod === DEFLATED) {
    try {
      content = await inflate(packed, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size + 1) });
    } catch (cause) {
      const isLonger = (cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
      throw isLonger ? refusal('zip.size_lies', path) : refusal('zip.entry_damaged', path);
    }
  }
  if (content.length !== size) throw refusal('zip.size_lies', path);
  if (crc32(content) !== entry.crc32) throw refusal('zip.entry_damaged', path);
  const beginning = content.subarray(0, 8).toString('hex');
  if (ARCHIVE_BEGINNINGS.some((archive) => beginning.startsWith(archive))) throw refusal('zip.nested', path);
  return content;
}

async function open(bytes: Buffer): Promise<ZipFile> {
  const signature = bytes.length < END_BYTES ? 0 : bytes.readUInt32LE(0);
  // An archive without files consists of the end record only.
  if (signature === 0x06054b50) throw refusal('zip.empty');
  if (signature !== LOCAL_HEADER) throw refusal('template.only_zip');
  return orDamaged(fromBufferPromise(bytes, { decodeStrings: false }));
}

/** Returns the one folder that holds everything, with its slash; empty if there is none. */
function folderAround(found: Found[]): string {
  const [folder = ''] = found[0]?.path.split('/') ?? [];
  return found.every(({ path }) => path.startsWith(`${folder}/`)) ? `${folder}/` : '';
}

/**
 * Reads an untrusted archive: the whole directory is checked before anything is unpacked, then one file after the other, each
 * in memory only while `onFile` runs, unless that keeps it. Nothing is written. A folder around everything, and files that
 * macOS and Windows add, are left out. `onPaths` gets the paths before anything is unpacked.
 *
 * Throws AppError `invalid` (mostly with code `bad_archive`) with the entry and the rule that it breaks.
 */
export async function readZip(
  bytes: Buffer,
  onFile: (file: UnpackedFile) => void,
  onPaths: (paths: string[]) => void = () => undefined,
): Promise<void> {
  const zip = await open(bytes);
  if (zip.entryCount > MAX_RECORDS) throw refusal('zip.many', '', { limit: ZIP_LIMITS.files });
  const directory = cursorOf(zip);
  const found = await orDamaged(readDirectory(zip));
  if (cursorOf(zip) !== directoryEnd(bytes, zip.comment.length)) throw damaged('the directory does not end at its end');
  if (found.length === 0) throw refusal('zip.empty');
  const located = await orDamaged(locate(zip, found, directory));
  const around = folderAround(found);
  onPaths(found.map(({ path }) => path.slice(around.length)));
  for (const file of located) {
    onFile({ path: file.path.slice(around.length), content: await unpack(bytes, file) });
  }
}
