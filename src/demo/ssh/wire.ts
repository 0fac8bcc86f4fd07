import type { Stats } from 'node:fs';

// The SFTP protocol, version 3 (draft-ietf-secsh-filexfer-02), with OpenSSH's extensions and deviations (its PROTOCOL file).

/** The requests, by their number. */
export const REQUESTS: Record<number, string> = {
  1: 'init',
  3: 'open',
  4: 'close',
  5: 'read',
  6: 'write',
  7: 'lstat',
  8: 'fstat',
  9: 'setstat',
  10: 'fsetstat',
  11: 'opendir',
  12: 'readdir',
  13: 'remove',
  14: 'mkdir',
  15: 'rmdir',
  16: 'realpath',
  17: 'stat',
  18: 'rename',
  19: 'readlink',
  20: 'symlink',
  200: 'extended',
};

export const STATUS = { ok: 0, end: 1, missing: 2, denied: 3, failure: 4, badMessage: 5, unsupported: 8 } as const;

/** Attributes of a file that a request sets; only those that were sent. */
export interface Attributes {
  size?: number;
  mode?: number;
  times?: { access: number; modified: number };
}

/** Reads the fields of a packet one after the other. Throws RangeError if it is too short. */
export interface Fields {
  number: () => number;
  offset: () => number;
  bytes: () => Buffer;
  text: () => string;
  attributes: () => Attributes;
}

const SIZE = 1;
const OWNER = 2;
const MODE = 4;
const TIMES = 8;

/** Makes a reader of the fields of a packet, from an offset. */
export function fieldsOf(packet: Buffer, from: number): Fields {
  let at = from;
  const number = (): number => packet.readUInt32BE((at += 4) - 4);
  const offset = (): number => Number(packet.readBigUInt64BE((at += 8) - 8));
  const bytes = (): Buffer => {
    const length = number();
    if (at + length > packet.length) throw new RangeError('the packet ends early');
    return packet.subarray(at, (at += length));
  };
  return {
    number,
    offset,
    bytes,
    text: () => bytes().toString('utf8'),
    attributes: () => {
      const flags = number();
      const found: Attributes = {};
      if (flags & SIZE) found.size = offset();
      if (flags & OWNER) at += 8;
      if (flags & MODE) found.mode = number() & 0o7777;
      if (flags & TIMES) found.times = { access: number(), modified: number() };
      return found;
    },
  };
}

/** Encodes a number of four bytes. */
export const number = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Encodes a text or bytes, preceded by the length. */
export const text = (value: string | Buffer): Buffer => {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([number(bytes.length), bytes]);
};

const packet = (type: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([number(body.length + 1), Buffer.of(type), body]);
};

/** Encodes the attributes of a file. The owner is always root: the real one on disk means nothing to guests. */
export const attributes = ({ size, mode, atimeMs, mtimeMs }: Stats): Buffer => {
  const length = Buffer.allocUnsafe(8);
  length.writeBigUInt64BE(BigInt(size));
  const times = [number(Math.floor(atimeMs / 1000)), number(Math.floor(mtimeMs / 1000))];
  return Buffer.concat([number(SIZE | OWNER | MODE | TIMES), length, number(0), number(0), number(mode), ...times]);
};

/** Encodes an entry of a list: a name, its line of `ls -l` and its attributes. */
export const entry = (name: string, facts: Buffer, line = name): Buffer =>
  Buffer.concat([text(name), text(line), facts]);

/** Empty attributes. */
export const NO_FACTS = number(0);

export const replies = {
  version: (): Buffer =>
    packet(2, number(3), text('posix-rename@openssh.com'), text('1'), text('statvfs@openssh.com'), text('2')),
  status: (id: number, code: number, message = ''): Buffer =>
    packet(101, number(id), number(code), text(message), text('')),
  handle: (id: number, handle: string): Buffer => packet(102, number(id), text(handle)),
  data: (id: number, bytes: Buffer): Buffer => packet(103, number(id), text(bytes)),
  /** An extended reply with numbers of eight bytes. */
  numbers: (id: number, values: readonly (bigint | number)[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 8);
    for (const [at, value] of values.entries()) bytes.writeBigUInt64BE(BigInt(value), at * 8);
    return packet(201, number(id), bytes);
  },
  names: (id: number, entries: readonly Buffer[]): Buffer =>
    packet(104, number(id), number(entries.length), ...entries),
  facts: (id: number, facts: Buffer): Buffer => packet(105, number(id), facts),
};

/** Splits a stream of bytes into packets, without their lengths. Calls `onPacket` with null for a packet longer than `limit`. */
export function packets(limit: number, onPacket: (packet: Buffer | null) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = [];
  let held = 0;
  const need = (): number => (held < 4 ? 4 : 4 + (waiting[0] as Buffer).readUInt32BE(0));
  return (chunk) => {
    waiting.push(chunk);
    held += chunk.length;
    for (;;) {
      // Length and body may be spread over chunks; the body is joined once it is complete.
      if (held >= 4 && (waiting[0] as Buffer).length < 4) waiting = [Buffer.concat(waiting)];
      const size = need();
      if (size > limit) {
        onPacket(null);
        return;
      }
      if (held < size || size === 4) return;
      const all = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting);
      const rest = all.subarray(size);
      waiting = rest.length > 0 ? [rest] : [];
      held = rest.length;
      onPacket(all.subarray(4, size));
    }
  };
}
