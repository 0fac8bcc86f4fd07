import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { AppError } from '../shared/errors.ts';
import { checkName, isArchiveName, isLitter, Paths, refusal } from './zip-names.ts';

const MB = 1024 * 1024;

/** What is taken: files, bytes unpacked in all and of one, and how many times smaller a large file may have been made. */
export const ZIP_LIMITS = { files: 5_000, total: 50 * MB, file: 10 * MB, ratio: 100 };
// Folders and litter are no files; an archive of nothing else is refused all the same.
const MAX_RECORDS = 2 * ZIP_LIMITS.files;
// A small file of one sign is no bomb.
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

// How archives begin, whatever they are called: ZIP, an empty ZIP, RAR, 7z, gzip, bzip2, xz, zstd.
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

/** A file of an archive, unpacked. */
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

/** Only what the library says of a broken archive is the archive's fault. */
async function orDamaged<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof AppError ? error : damaged(error);
  });
}

/** Its name: UTF-8, as Info-ZIP's field or the bytes themselves give it. Old code pages can't be told from each other. */
function nameOf(entry: Entry): string {
  const hasField = entry.extraFields.some(({ id }) => id === UTF8_NAME);
  const name = hasField
    ? getFileNameLowLevel(0x800, entry.fileNameRaw, entry.extraFields, true)
    : entry.fileNameRaw.toString('utf8');
  if (name.includes('\uFFFD')) throw refusal('zip.encoding', name);
  if (name === '') throw refusal('zip.dots', name);
  return name;
}

/** Whether it is a folder. Throws for links and devices: they lead out of the folder that a site is unpacked to. */
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

/** The files of the directory, checked by what it says of them. Nothing is unpacked yet. */
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

/** Where the directory must end: entries that its end does not count would be seen by other programs alone. */
function directoryEnd(bytes: Buffer, commentBytes: number): number {
  const end = bytes.length - END_BYTES - commentBytes;
  const locator = end - ZIP64_LOCATOR_BYTES;
  const isZip64 = locator >= 0 && bytes.readUInt32LE(locator) === ZIP64_LOCATOR;
  return isZip64 ? Number(bytes.readBigUInt64LE(locator + 8)) : end;
}

// The declarations of the library call the position a boolean.
const cursorOf = (zip: ZipFile): number => Number(zip.readEntryCursor);

interface Located extends Found {
  from: number;
  start: number;
  end: number;
}

/** Where the bytes of each file are. Two files in one place are how a small archive unpacks to a large one. */
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

/** Stops as soon as there is more than was declared. */
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
  // Without a file there is the end alone.
  if (signature === 0x06054b50) throw refusal('zip.empty');
  if (signature !== LOCAL_HEADER) throw refusal('template.only_zip');
  return orDamaged(fromBufferPromise(bytes, { decodeStrings: false }));
}

/** The folder that is around everything, with its slash; empty where there is none. */
function folderAround(found: Found[]): string {
  const [folder = ''] = found[0]?.path.split('/') ?? [];
  return found.every(({ path }) => path.startsWith(`${folder}/`)) ? `${folder}/` : '';
}

/**
 * Reads an archive as a stranger's: all of its directory is checked before anything is unpacked, then one file after the
 * other, each in memory alone unless `onFile` keeps it. Nothing is written. A folder around everything is left away, and
 * so is what macOS and Windows add. `onPaths` sees the paths before anything is unpacked.
 *
 * Throws `invalid` (`bad_archive`) with the entry and the rule it breaks.
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
