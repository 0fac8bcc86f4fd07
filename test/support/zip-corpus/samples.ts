import { deflateRawSync } from 'node:zlib';
import { craft, type Crafted } from '../zips.ts';

/** An archive and its expected verdict: the key of the refusal, or the paths of its files. */
export interface Sample {
  name: string;
  make: () => Buffer;
  verdict: string | string[];
}

export const MB = 1024 * 1024;
export const text = (value: string): Buffer => Buffer.from(value);
export const page = (name: string): Crafted => ({ name, data: text(`<title>TITLE</title>${name}`) });
export const INDEX = page('index.html');

/** Memoizes: some archives are large, so each is made at its first use. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The content of an entry, deflated once for all archives that hold it. */
export const packed = (bytes: Buffer): Pick<Crafted, 'data' | 'packed'> => ({
  data: bytes,
  packed: deflateRawSync(bytes, { level: 1 }),
});

/** Text that deflate compresses about tenfold: no bomb. */
const LINES = Array.from(
  { length: 1000 },
  (_, line) => `<p>${(line * 2654435761) % 4294967296} of a page, and what follows`,
).join('\n');
export const prose = (length: number): Buffer => Buffer.alloc(length, LINES);
export const zeros = (length: number): Buffer => Buffer.alloc(length);

/** An archive with an index page and an entry of this name. */
export const named =
  (name: string | Buffer, more: Partial<Crafted> = {}) =>
  (): Buffer =>
    craft([INDEX, { name, ...more }]);
/** An archive of entries with these names; those of folders end in a slash. */
export const names =
  (...list: string[]) =>
  (): Buffer =>
    craft(list.map((name) => ({ name, data: text(name.endsWith('/') ? '' : 'x') })));
/** Returns so many empty entries. */
export const many = (count: number, name = (number: number): string => `${number}.html`): Crafted[] =>
  Array.from({ length: count }, (_, number) => ({ name: name(number), data: text(''), method: 0 }));
