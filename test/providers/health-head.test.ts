import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headReader, type HeadRead } from '../../src/providers/health/head.ts';

/** Reads an answer that arrives in these pieces and returns the first result that is not `more`. */
function readIn(pieces: string[]): HeadRead {
  const read = headReader();
  for (const piece of pieces) {
    const head = read(Buffer.from(piece, 'latin1'), piece.length);
    if (head !== 'more') return head;
  }
  return 'more';
}

const cases: [string, HeadRead][] = [
  ['HTTP/1.1 200 OK\r\n\r\n', { status: 200, location: undefined }],
  ['HTTP/1.0 404\r\nServer: x\r\n\r\nbody', { status: 404, location: undefined }],
  ['\r\nHTTP/1.1 301 Moved\r\nX: y\r\nLocation:  /a b \r\n\r\n', { status: 301, location: '/a b' }],
  ['HTTP/1.1 302 Found\nLOCATION: /x\nlocation: /y\n\n', { status: 302, location: '/x' }],
  ['HTTP/1.1 200 OK\r\nX-Location: /x\r\n\r\nLocation: /body\r\n\r\n', { status: 200, location: undefined }],
  [
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 500 Oh\r\n\r\n',
    { status: 500, location: undefined },
  ],
  ['HTTP/1.1 101 Switching\r\n\r\n', 'upgrade'],
  ['HTTP/1.1 103 Hints\r\n\r\n', 'more'],
  ['HTTP/1.1 103 Hints\r\n\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', { status: 200, location: undefined }],
  ['HTTP/1.1 199 Unknown\r\n\r\n', 'more'],
  ['HTTP/1.1 099 Odd\r\n\r\n', { status: 99, location: undefined }],
  ['HTTP/1.1 200 OK\r\nServer: x\r\n', 'more'],
  ['220 mail ESMTP\r\n', 'bad'],
  ['HTTP/1.1 OK\r\n\r\n', 'bad'],
  ['HTTP/1.1 2000 OK\r\n\r\n', 'bad'],
  ['HTTP/3 200 OK\r\n\r\n', 'bad'],
  [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`, 'bad'],
];

test.each(cases)('the head of an answer is read: %j', (text, wanted) => {
  expect(readIn([text])).toEqual(wanted);
});

test('a head without an end is read up to 65,536 bytes', () => {
  const start = 'HTTP/1.1 200 OK\r\nX: ';
  expect(readIn([start.padEnd(65_536, 'x')])).toBe('more');
  expect(readIn([start.padEnd(65_536, 'x'), 'x'])).toBe('bad');
});

test('a head is read the same in any pieces', () => {
  const short = cases.filter(([text]) => text.length < 1_000);
  fc.assert(
    fc.property(fc.constantFrom(...short), fc.array(fc.nat(200), { maxLength: 12 }), ([text, wanted], cuts) => {
      const places = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
      expect(readIn(pieces)).toEqual(wanted);
    }),
  );
  for (const [text, wanted] of short) expect(readIn(text.split(''))).toEqual(wanted);
});
