import { expect, test } from 'vitest';
import { redact, rememberSecret } from '../../src/lib/redact.ts';

const SECRET = 'p"ß\\w 0rd/+?&end';

const spellings: Record<string, string> = {
  'as it is': SECRET,
  JSON: JSON.stringify({ a: SECRET }),
  'JSON in JSON': JSON.stringify({ a: JSON.stringify({ b: SECRET }) }),
  'URL-encoded': encodeURIComponent(SECRET),
  'as a form': new URLSearchParams({ a: SECRET }).toString(),
  hexadecimal: Buffer.from(SECRET).toString('hex'),
  base64: Buffer.from(SECRET).toString('base64'),
  'base64 of a pair': Buffer.from(`me:${SECRET}`).toString('base64'),
  'base64 of another pair': Buffer.from(`you:${SECRET}:more`).toString('base64'),
  base64url: Buffer.from(`root:${SECRET}`).toString('base64url'),
};

test.each(Object.entries(spellings))('a secret that is known is cut out of a text: %s', (_name, text) => {
  rememberSecret(SECRET);
  const clean = redact(`before ${text} after`);
  expect(clean).toMatch(/^before .*\*{8}.* after$/);
  expect(clean).not.toContain(text.slice(0, -4));
});

test('two thousand secrets are known, those that were used last', () => {
  rememberSecret('the first of all');
  rememberSecret('the second of all');
  for (let n = 0; n < 2000; n += 1) {
    rememberSecret(`secret number ${n}`);
    rememberSecret('the first of all');
  }
  expect(redact('the first of all, the second of all, secret number 1999')).toBe(
    '********, the second of all, ********',
  );
});

test('a short word is left: it stands in every other sentence', () => {
  rememberSecret('root');
  expect(redact('the root of it')).toBe('the root of it');
});

test.each([
  ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer ********'],
  ['{"X-Auth-Key: 0123456789abcdef"}', '{"X-Auth-Key: ********"}'],
  [
    'https://api.telegram.org/bot123456:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K/getMe',
    'https://api.telegram.org/bot123456:********/getMe',
  ],
  ['{"name":"a","api_key":"0123"}', '{"name":"a","api_key":"********"}'],
  [String.raw`"{\"password\": \"0123\", \"a\":1}"`, String.raw`"{\"password\": \"********\", \"a\":1}"`],
  ['https://x.example/?a=1&key=0123&b=2', 'https://x.example/?a=1&key=********&b=2'],
])('what stands where a secret is written is cut out: %s', (text, clean) => expect(redact(text)).toBe(clean));

test.each(['password: at least 10 characters', 'No token provided', 'Файл ключа доступен другим: chmod 600 /k'])(
  'a sentence stays: %s',
  (text) => expect(redact(text)).toBe(text),
);
