// The rules of the throttle on a book alone, at their very limits.
import { expect, test } from 'vitest';
import {
  A_DEVICE,
  counted,
  currentBook,
  judge,
  waitLeft,
  without,
  type Book,
  type Try,
} from '../../../src/services/access/throttle-book.ts';

const NOW = Date.UTC(2026, 0, 2);
const MINUTE = 60_000;
const HOME = '192.0.2.1';
const STRANGER = { network: HOME, isKnown: false, ownMs: 15_000 };
const EMPTY: Book = { tries: [], network: [], wait: null };

const tryAt = (at: number, network = HOME, known = false): Try => ({ at, network, known });
/** A book with so many tries of strangers, one a second, each from a network of its own. */
const strangers = (count: number): Book => ({
  ...EMPTY,
  tries: Array.from({ length: count }, (_, index) => tryAt(NOW - (count - index) * 1_000, `198.51.100.${index}`)),
});

test('a time that is further ahead than a minute was noted before the clock was set back, and does not count', () => {
  const ahead = (ms: number): Book => ({ tries: [tryAt(NOW + ms)], network: [NOW + ms], wait: NOW + ms });
  expect(currentBook(ahead(MINUTE), NOW)).toEqual(ahead(MINUTE));
  expect(currentBook(ahead(MINUTE + 1), NOW)).toEqual(EMPTY);
});

test('a login that has used up its tries is free again when the oldest ends, and begins no wait', () => {
  const book = strangers(20);
  expect(judge(book, STRANGER, NOW)).toEqual({
    strangerMs: 15 * MINUTE - 20_000,
    isRefused: true,
    isOwnFault: false,
    beginsWait: false,
  });
});

test('a try that is let in begins no wait', () => {
  expect(judge(EMPTY, STRANGER, NOW)).toEqual({
    strangerMs: 0,
    isRefused: false,
    isOwnFault: false,
    beginsWait: false,
  });
});

test('of a book that has others beside it, that very try is taken back', () => {
  const own = tryAt(NOW, HOME, true);
  const others = [tryAt(NOW, '192.0.2.2', true), tryAt(NOW - 1, HOME, true), tryAt(NOW, HOME, false)];
  const before: Book = { tries: others, network: [NOW - 1, NOW - 2], wait: null };
  const after = counted(before, HOME, true, NOW);
  expect(after.tries).toEqual([...others, own]);
  expect(without(after, own, false)).toEqual(before);
});

test('a wait is over after fifteen seconds, and forgotten a minute later', () => {
  expect([-1, 0, 14_999, 15_000, 74_999, 75_000].map(waitLeft)).toEqual([15_000, 15_000, 1, 0, 0, 15_000]);
});

test('a network keeps the times of sixty tries, so that thirty which are given back push out no other', () => {
  const full: Book = { ...EMPTY, network: Array.from({ length: 60 }, (_, index) => NOW - 60_000 + index) };
  const { network } = counted(full, HOME, false, NOW);
  expect(network).toEqual([...full.network.slice(1), NOW]);
});

test('devices and networks that are known have ten tries of a login together', () => {
  const used = (devices: number): Book => ({
    ...strangers(20),
    tries: [
      ...strangers(20).tries,
      ...Array.from({ length: 4 }, (_, index) => tryAt(NOW, `203.0.113.${index}`, true)),
      ...Array.from({ length: devices }, () => tryAt(NOW, A_DEVICE, true)),
    ],
  });
  const isRefused = (devices: number): boolean =>
    judge(used(devices), { network: A_DEVICE, isKnown: true, ownMs: 0 }, NOW).isRefused;
  expect([isRefused(5), isRefused(6)]).toEqual([false, true]);
});
