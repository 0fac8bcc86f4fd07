import { expect, test } from 'vitest';
import { decodeUnicode } from '../../src/lib/text-file.ts';

const TEXT = 'пример.рф\nexample.com';
const little = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');

test.each([
  ['UTF-8', Buffer.from(TEXT), 'utf-8'],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${TEXT}`), 'utf-8'],
  ['UTF-16 of Windows', little, 'utf-16le'],
  ['UTF-16 of the other order', Buffer.from(little).swap16(), 'utf-16be'],
  ['UTF-16 at an odd place of a buffer', Buffer.concat([Buffer.of(0), little]).subarray(1), 'utf-16le'],
])('%s is decoded, without a mark in the text', (_, bytes, encoding) => {
  expect(decodeUnicode(bytes)).toEqual({ encoding, text: TEXT });
});

test('other bytes are not decoded, and none are an empty text', () => {
  expect(decodeUnicode(Buffer.from('eff0e8ece5f02ef0f4', 'hex'))).toBeNull();
  expect(decodeUnicode(little.subarray(0, 7))).toBeNull();
  expect(decodeUnicode(Buffer.alloc(0))).toEqual({ encoding: 'utf-8', text: '' });
});
