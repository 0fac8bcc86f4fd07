import { crc32, deflateRawSync } from 'node:zlib';
import { zipSync, type Zippable } from 'fflate';

/** The files of the tests' template. */
export const SITE: Record<string, string> = {
  'index.html':
    '<!doctype html><html><head><title>TITLE</title><meta name="description" content="DESCRIPTION"></head><body>BODY</body></html>',
  'robots.txt': 'Sitemap: https://SITE_URL/sitemap.xml\n',
  'css/site.css': 'body { margin: 0 }\n',
};

/** Returns an ordinary ZIP of texts and bytes by path. */
export const zipOf = (files: Record<string, string | Uint8Array>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([path, content]) => [
          path,
          typeof content === 'string' ? new TextEncoder().encode(content) : content,
        ]),
      ) as Zippable,
      { mtime: '2026-01-01' },
    ),
  );

/** Returns a ZIP as a form sends it. */
export const zipFile = (bytes: Uint8Array = zipOf(SITE), name = 'site.zip', type = 'application/zip'): File =>
  new File([new Uint8Array(bytes)], name, { type });

/** A hand-crafted, possibly hostile entry: fields not given are valid. */
export interface Crafted {
  name: string | Buffer;
  data?: Uint8Array;
  /** The stored bytes, if they are not `data` deflated. */
  packed?: Uint8Array;
  method?: number;
  flags?: number;
  crc?: number;
  size?: number;
  packedSize?: number;
  /** The upper half of the external attributes: a Unix mode. */
  mode?: number;
  extra?: Buffer;
  localName?: string;
  /** The offset of the entry given by the directory. */
  at?: number;
  /** Sizes and CRC follow the data; the local header has none. */
  descriptor?: boolean;
}

export interface Ending {
  comment?: Buffer;
  count?: number;
  directoryAt?: number;
  /** The ZIP64 ending before the usual one, with its fields. */
  zip64?: { count?: bigint; directoryAt?: bigint; locatorAt?: bigint };
  /** Bytes before the archive; the offsets account for them. */
  prefix?: Buffer;
}

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value & 0xffff, index * 2);
  return bytes;
};
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
};
export const u64 = (...values: bigint[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(value, index * 8);
  return bytes;
};

/** Returns a field of an entry's extra data. */
export const field = (id: number, data: Buffer): Buffer => Buffer.concat([u16(id, data.length), data]);

function pack(entry: Crafted) {
  const data = Buffer.from(entry.data ?? new TextEncoder().encode('x'));
  const method = entry.method ?? 8;
  const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(data) : data));
  const sizes = [entry.crc ?? crc32(data), entry.packedSize ?? packed.length, entry.size ?? data.length];
  const flags = (entry.flags ?? 0x800) | (entry.descriptor ? 8 : 0);
  return { packed, method, flags, sizes };
}

/** Crafts an archive: `entries` in this order, both in the file and in the directory. */
export function craft(entries: Crafted[], ending: Ending = {}): Buffer {
  const parts: Buffer[] = ending.prefix ? [ending.prefix] : [];
  const directory: Buffer[] = [];
  let offset = ending.prefix?.length ?? 0;
  for (const entry of entries) {
    const { packed, method, flags, sizes } = pack(entry);
    const name = Buffer.from(entry.name as string);
    const localName = Buffer.from(entry.localName ?? name);
    const local = Buffer.concat([
      u32(0x04034b50),
      u16(20, flags, method, 0, 0x21),
      u32(...(entry.descriptor ? [0, 0, 0] : sizes)),
      u16(localName.length, 0),
      localName,
      packed,
      ...(entry.descriptor ? [u32(0x08074b50, ...sizes)] : []),
    ]);
    const extra = entry.extra ?? Buffer.alloc(0);
    directory.push(
      u32(0x02014b50),
      u16(0x0314, 20, flags, method, 0, 0x21),
      u32(...sizes),
      u16(name.length, extra.length, 0, 0, 0),
      u32((entry.mode ?? 0) << 16, entry.at ?? offset),
      name,
      extra,
    );
    parts.push(local);
    offset += local.length;
  }
  const whole = Buffer.concat(directory);
  return Buffer.concat([...parts, whole, endOf(entries.length, whole.length, offset, ending)]);
}

function endOf(entries: number, size: number, offset: number, ending: Ending): Buffer {
  const { zip64, comment = Buffer.alloc(0) } = ending;
  const count = ending.count ?? entries;
  const parts: Buffer[] = [];
  if (zip64) {
    const { count: many = BigInt(entries), directoryAt = BigInt(offset), locatorAt = BigInt(offset + size) } = zip64;
    parts.push(u32(0x06064b50), u64(44n), u16(45, 45), u32(0, 0), u64(many, many, BigInt(size), directoryAt));
    parts.push(u32(0x07064b50, 0), u64(locatorAt), u32(1));
  }
  const at = ending.directoryAt ?? offset;
  return Buffer.concat([
    ...parts,
    u32(0x06054b50),
    u16(0, 0, count, count),
    u32(size, at),
    u16(comment.length),
    comment,
  ]);
}
