import { ROWS_WASM } from './rows-wasm.ts';

/** Room for the names of a block of rows, as a name store keeps them. */
export interface Batch {
  /** In bytes: of the block, and of its names. */
  room: number;
  names: Uint8Array;
  hashes: Int32Array;
  places: Int32Array;
  /** By COUNT. */
  counts: Int32Array;
}

/** The numbers of a batch: the bytes of its names, its rows, and those of them that are masks or listed by URLs. */
export const COUNT = { bytes: 0, rows: 1, masks: 2, urls: 3 } as const;

/** Reads the plain rows of blocks into a batch, sixteen bytes at a time, several times as fast as JavaScript does. */
export interface PlainRows extends Batch {
  /** Takes the block to be read; its last byte must be a line feed. */
  load(block: Uint8Array): void;
  /**
   * Reads the rows of the block from `at` on, and returns where the first one begins that is not plain, or the block's end. A
   * plain row has a name in lower-case ASCII that ends with a letter, or neither a name nor a URL; before it stands the cell
   * of the addresses, if the rows have one. `place` is that of the batch's first name. The batch must have as much room as the
   * rest of the block is long.
   */
  read(at: number, hasAddresses: boolean, place: number): number;
}

type Part = 'ROOM' | 'BYTES' | 'NAMES' | 'HASHES' | 'PLACES' | 'COUNTS';

/** The exports of assembly/rows.ts; places are in bytes. */
type Exports = Record<Part, { value: number }> & {
  memory: { buffer: ArrayBuffer };
  read: (at: number, end: number, hasAddresses: boolean, base: number) => number;
};

// The types of Node 20 do not have it.
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** Makes a batch for a machine that cannot run PlainRows. */
export function createBatch(): Batch {
  const room = 1 << 20;
  const integers = (): Int32Array => new Int32Array(room / 4);
  return { room, names: new Uint8Array(room), hashes: integers(), places: integers(), counts: new Int32Array(4) };
}

/**
 * Returns a reader with memory of its own (9 MB). Null on a machine that cannot run it: without WebAssembly, or without its
 * vector instructions, which a virtual processor may lack.
 */
export function createPlainRows(): PlainRows | null {
  let exports: Exports;
  try {
    exports = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(ROWS_WASM, 'base64'))).exports as Exports;
  } catch {
    return null;
  }
  const { buffer } = exports.memory;
  const [room, bytesAt] = [exports.ROOM.value, exports.BYTES.value];
  const bytes = new Uint8Array(buffer, bytesAt, room);
  const { read } = exports;
  let end = bytesAt;
  return {
    room,
    names: new Uint8Array(buffer, exports.NAMES.value, room),
    hashes: new Int32Array(buffer, exports.HASHES.value, room / 4),
    places: new Int32Array(buffer, exports.PLACES.value, room / 4),
    counts: new Int32Array(buffer, exports.COUNTS.value, 4),
    load(block) {
      bytes.set(block);
      end = bytesAt + block.length;
    },
    read: (at, hasAddresses, place) => read(bytesAt + at, end, hasAddresses, place) - bytesAt,
  };
}
