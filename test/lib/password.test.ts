import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/lib/password.ts';

test('a password is known by its hash, and no other is', async () => {
  const stored = await hashPassword('пароль 1 😀');
  expect(stored).toMatch(/^\$scrypt\$n=32768,r=8,p=3\$/);
  expect(await verifyPassword('пароль 1 😀', stored)).toBe(true);
  for (const wrong of ['', 'пароль 1', 'пароль 1 😀 ', `пароль 1 😀${'x'.repeat(2000)}`]) {
    expect(await verifyPassword(wrong, stored)).toBe(false);
  }
});

test('the same password has another hash each time', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
});

test('without a hash, and with a broken one, nothing is right', async () => {
  for (const stored of [null, '', 'password', '$scrypt$n=2,r=1,p=1$$', '$2b$10$abcdefghijklmnopqrstuv']) {
    expect(await verifyPassword('password', stored)).toBe(false);
  }
});

test('while passwords are hashed, files are read', async () => {
  let hashing = true;
  const hashes = Promise.all(Array.from({ length: 6 }, () => hashPassword('x'))).finally(() => (hashing = false));
  let read = 0;
  while (read < 5) {
    await stat('.');
    read++;
  }
  // The pool that reads files was not taken by scrypt.
  expect([read, hashing]).toEqual([5, true]);
  await hashes;
});

test('more at once than can be worked on are refused at once', async () => {
  const refused: unknown[] = [];
  // The last test, because those that are served take their time.
  for (let count = 0; count < 80; count++) verifyPassword('x', null).catch((error: unknown) => refused.push(error));
  await new Promise((resolve) => setImmediate(resolve));
  // Those that are taken are answered within some two seconds.
  expect(refused.length).toBeGreaterThanOrEqual(70);
  expect(refused.length).toBeLessThan(80);
  expect(refused[0]).toMatchObject({ kind: 'too_many', retryAfter: expect.any(Number) });
});
