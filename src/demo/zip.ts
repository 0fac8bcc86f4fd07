import { crc32, deflateRawSync } from 'node:zlib';

const VERSION = 20;
const UTF8 = 0x800;
const DEFLATED = 8;
// 1 January 2026 in the DOS format.
const DAY = ((2026 - 1980) << 9) | (1 << 5) | 1;

/** Makes the part that the local header and the directory entry share. */
function commonOf(name: Buffer, content: Buffer, packed: Buffer): Buffer {
  const bytes = Buffer.alloc(26);
  for (const [index, value] of [VERSION, UTF8, DEFLATED, 0, DAY].entries()) bytes.writeUInt16LE(value, index * 2);
  for (const [index, value] of [crc32(content), packed.length, content.length].entries()) {
    bytes.writeUInt32LE(value, 10 + index * 4);
  }
  bytes.writeUInt16LE(name.length, 22);
  return bytes;
}

/** Makes a ZIP of texts by path; equal input gives equal bytes. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)];
    const packed = deflateRawSync(content);
    const common = commonOf(name, content, packed);
    const entry = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([VERSION, 0]), common, place, name);
    entries.push(entry);
    offset += entry.length;
  }
  const whole = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  for (const at of [4, 6]) end.writeUInt16LE(count, at);
  end.writeUInt32LE(whole.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...entries, whole, Buffer.from('PK\u0005\u0006'), end]);
}
