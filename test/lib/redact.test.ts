import { expect, test } from 'vitest';
import { redact, redactValue } from '../../src/lib/redact.ts';

test.each([
  ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer ********'],
  ['Basic dXNlcjpwYXNz was refused', 'Basic ******** was refused'],
  ['basic  YWRtaW46YWRtaW4=', 'basic ********'],
  // The credentials (`j:!j'!`) whose base64 is letters of one case alone.
  ['Basic ajohaich', 'Basic ********'],
  ['Authorization: Basic authentication', 'Authorization: Basic ********'],
  ['authorization = "Basic abc"', 'authorization = "Basic ********"'],
  ['-H "Proxy-Authorization: Basic x:y"', '-H "Proxy-Authorization: Basic ********"'],
  ['Authorization: Bearer short', 'Authorization: Bearer ********'],
  ['{"X-Auth-Key: 0123456789abcdef"}', '{"X-Auth-Key: ********"}'],
  [
    'https://api.telegram.org/bot123456:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K/getMe',
    'https://api.telegram.org/bot123456:********/getMe',
  ],
  ['{"name":"a","api_key":"0123"}', '{"name":"a","api_key":"********"}'],
  [String.raw`"{\"password\": \"0123\", \"a\":1}"`, String.raw`"{\"password\": \"********\", \"a\":1}"`],
  ['https://x.example/?a=1&key=0123&b=2', 'https://x.example/?a=1&key=********&b=2'],
  ['?access_token=0123&x-auth-key=4567#top', '?access_token=********&x-auth-key=********#top'],
  ['failed with password=0123, retry', 'failed with password=********, retry'],
  ['passphrase=0123;client_secret=4567', 'passphrase=********;client_secret=********'],
  ['{"access_token":"0123","private_key":"4567"}', '{"access_token":"********","private_key":"********"}'],
  ['via http://me:0123@proxy.example:3128/', 'via http://me:********@proxy.example:3128/'],
  ['socks5://:0123@proxy.example', 'socks5://:********@proxy.example'],
  ['no eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl', 'no ********'],
  ['a-b-eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl in site.eyJhbGciOi.eyJzdWIiOi.c2ln', 'a-b-******** in site.********'],
  [
    'key -----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\nBBBB==\n-----END OPENSSH PRIVATE KEY----- end',
    'key -----BEGIN OPENSSH PRIVATE KEY-----********-----END OPENSSH PRIVATE KEY----- end',
  ],
  ['-----BEGIN PRIVATE KEY-----\nAAAA cut', '-----BEGIN PRIVATE KEY-----********'],
])('a value in the place of a secret is cut out: %s', (text, clean) => expect(redact(text)).toBe(clean));

test.each([
  'Basic authentication is switched off',
  'Basic Authentication required.',
  'BASIC AUTHENTICATION',
  'the basic settings/security page, basic constraints, Basic credentials-file',
  'keyword=0123 of a map',
  'https://example.com:8080/a@b',
  'compassword=0123',
  'mail ops@example.net: token expired',
  '-----BEGIN PUBLIC KEY-----\nAAAA',
  'password: at least 10 characters',
  'No token provided',
  'Файл ключа доступен другим: chmod 600 /k',
])('a harmless text stays: %s', (text) => expect(redact(text)).toBe(text));

test('a field named like a secret is cut out whole, whatever it holds; other fields stay as they are', () => {
  const value = { name: 'example.com', ssh_password: 'a "b', Token: 'x', list: [{ cookie: 'y', n: 1 }], none: null };
  expect(redactValue(value)).toEqual({
    name: 'example.com',
    ssh_password: '********',
    Token: '********',
    list: [{ cookie: '********', n: 1 }],
    none: null,
  });
  expect(redactValue(undefined)).toBeUndefined();
});

// A pattern that restarts at every position takes longer on each of these than a test may.
test.each([
  ['letters', 'a'],
  ['labels', 'a-b.'],
  ['backslashes', '\\'],
  ['heads of tokens', 'eyJ-'],
  ['dots between heads of tokens', 'eyJ-.'],
  ['starts of addresses', 'a://b:'],
  ['names of secrets', '"token"'],
  ['queries', '?a_token'],
  ['headers', 'Bearer  '],
  ['keys', '-----BEGIN PRIVATE '],
])('two megabytes of %s are scanned in time and stay', (_, part) => {
  const text = part.repeat(2_000_000 / part.length);
  expect(redact(text) === text).toBe(true);
});

test('the key of a stored message stays, that of an account is masked', () =>
  expect(redactValue([{ key: 'telegram.wrong_code', params: { key: 'abc.def' } }, { key: 'abc.def' }])).toEqual([
    { key: 'telegram.wrong_code', params: { key: '********' } },
    { key: '********' },
  ]));
