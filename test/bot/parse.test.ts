import { expect, test } from 'vitest';
import { chatThrottle } from '../../src/bot/throttle.ts';
import { parseCommand, parseMute, parsePress, startData } from '../../src/bot/parse.ts';

test('a command is read with and without the name of the bot, and one for another bot is none', () => {
  expect(parseCommand('/REG@Seo_Bot', 'seo_bot')).toEqual({ name: 'reg', rest: '' });
  expect(parseCommand(' /check  example.com ', null)).toEqual({ name: 'check', rest: 'example.com' });
  expect(parseCommand('/reg@other_bot', 'seo_bot')).toBeNull();
  expect(['reg', '/', '/регистрация', `/check ${'x'.repeat(300)}`].map((text) => parseCommand(text, null))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('a time of silence is a number of minutes, hours or days, thirty days at most', () => {
  expect(['2h', '30m', '1d', '2 ч', 'OFF'].map(parseMute)).toEqual([7_200_000, 1_800_000, 86_400_000, 7_200_000, 0]);
  expect(['0h', '31d', '2', '-1h', '2hh', '1e3h', ''].map(parseMute)).toEqual(Array(7).fill(null));
});

test('the data of the longest button has 64 bytes at most and says what it said', () => {
  const [source, target] = [999_999_999_999_999, 999_999_999_999_998];
  const data = startData(source, target, 'A_-'.repeat(20));
  expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
  expect(parsePress(data)).toEqual({ act: 'start', source, target, plan: 'A_-A_-A_-A_-A_-A' });
  for (const wrong of [
    `${data}x`,
    ` ${data}`,
    'check:0',
    'check:-1',
    'check:1:2',
    'ack:1e3',
    `start:1:2:${'A'.repeat(15)}`,
    '',
  ])
    expect(parsePress(wrong)).toBeNull();
});

test('a chat has twenty turns a minute, is told once that they are used up, and has them again', () => {
  let now = 0;
  const turnOf = chatThrottle(() => now);
  const turns = Array.from({ length: 25 }, () => turnOf(1));
  expect([turns.filter((turn) => turn === 'yes').length, turns[19], turns[20]]).toEqual([19, 'last', 'no']);
  expect(turnOf(2)).toBe('yes');
  now = 60_001;
  expect(turnOf(1)).toBe('yes');
});
