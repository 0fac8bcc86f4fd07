import jwt from 'jsonwebtoken';
import { describe, expect, test } from 'vitest';
import { hashToken, randomToken, signToken, verifyToken } from '../../src/lib/token.ts';

const key = Buffer.alloc(32, 1);
const user = { id: 3, login: 'ann', role: 'user', telegram: null } as const;
const sid = randomToken();
const token = signToken(key, user, sid);
const claims = jwt.decode(token) as Record<string, unknown>;
const now = Math.floor(Date.now() / 1000);

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const without = (...fields: string[]) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !fields.includes(name)));
const sign = (change: object, options: jwt.SignOptions = {}) => jwt.sign({ ...claims, ...change }, key, options);
const [head = '', payload = '', signature = ''] = token.split('.');

test('our own token is read', () => {
  expect(verifyToken(key, token)).toMatchObject({ id: 3, login: 'ann', role: 'user', sid });
  expect(claims).toMatchObject({ id: 3, login: 'ann', role: 'user', telegram: null });
});

test('a token of a server whose clock is 90 s ahead is read, one of an hour ahead is not', () => {
  expect(verifyToken(key, sign({ iat: now + 90 }))).toMatchObject({ id: 3, sid });
  expect(() => verifyToken(key, sign({ iat: now + 3_600 }))).toThrow('Failed to authenticate token');
});

test('two tokens and two session ids are never the same', () => {
  expect(new Set(Array.from({ length: 1000 }, randomToken)).size).toBe(1000);
  expect(hashToken(sid)).toMatch(/^[0-9a-f]{64}$/);
});

// Texts that are sent in place of our own token.
const FORGED: Record<string, string> = {
  empty: '',
  'a word': 'token',
  'two parts': `${head}.${payload}`,
  'four parts': `${token}.x`,
  'no signature': `${head}.${payload}.`,
  'no payload': `${head}..${signature}`,
  'no head': `.${payload}.${signature}`,
  'another payload': `${head}.${part({ ...claims, role: 'admin' })}.${signature}`,
  'another key': jwt.sign(claims, Buffer.alloc(32, 2)),
  'alg none': `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
  'alg None': `${part({ alg: 'None', typ: 'JWT' })}.${payload}.${signature}`,
  'no alg': `${part({ typ: 'JWT' })}.${payload}.${signature}`,
  'alg as a list': `${part({ alg: ['HS256'] })}.${payload}.${signature}`,
  HS384: sign({}, { algorithm: 'HS384' }),
  HS512: sign({}, { algorithm: 'HS512' }),
  'RS256 claimed': `${part({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`,
  'a key in the head': `${part({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } })}.${payload}.${signature}`,
  'no JSON': `${head}.${Buffer.from('nonsense').toString('base64url')}.${signature}`,
  'a list': `${head}.${part([])}.${signature}`,
  expired: sign({ iat: now - 1000, exp: now - 10 }),
  'expiry as text': jwt.sign(JSON.stringify({ ...claims, exp: '9999999999' }), key),
  'no expiry': jwt.sign(without('exp'), key),
  'no time of issue': jwt.sign(without('iat'), key, { noTimestamp: true }),
  'issued long ago, good for long': sign({ iat: now - 13 * 3600, exp: now + 3600 }),
  'issued tomorrow': sign({ iat: now + 86_400, exp: now + 90_000 }),
  'not yet good': sign({ nbf: now + 3600 }),
  'another audience': sign({ aud: 'other' }),
  'no audience': jwt.sign(without('aud'), key),
  'another issuer': sign({ iss: 'other' }),
  'no session': jwt.sign(without('sid'), key),
  'an empty session': sign({ sid: '' }),
  'a session as a list': sign({ sid: [sid] }),
  'a session too long': sign({ sid: `${sid}A` }),
  'no id': jwt.sign(without('id'), key),
  'an id as text': sign({ id: '3' }),
  'a negative id': sign({ id: -3 }),
  'an unknown role': sign({ role: 'root' }),
  'a role as a list': sign({ role: ['admin'] }),
  'very long': `${head}.${'A'.repeat(64 * 1024)}.${signature}`,
  'a NUL': `${token}\0`,
};

describe('a forged token is refused:', () => {
  test.each(Object.entries(FORGED))('%s', (_, forged) => {
    const read = (): unknown => verifyToken(key, forged);
    expect(read).toThrow('Failed to authenticate token');
  });
});
