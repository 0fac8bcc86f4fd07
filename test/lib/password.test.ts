import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/lib/password.ts';

test('a hash matches its own password and no other', async () => {
  const stored = await hashPassword('пароль 1 😀');
  expect(stored).toMatch(/^\$scrypt\$n=32768,r=8,p=3\$/);
  expect(await verifyPassword('пароль 1 😀', stored)).toBe(true);
  for (const wrong of ['', 'пароль 1', 'пароль 1 😀 ', `пароль 1 😀${'x'.repeat(2000)}`]) {
    expect(await verifyPassword(wrong, stored)).toBe(false);
  }
});

test('the same password gets a different hash each time', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
});

test('no password matches a missing or broken hash', async () => {
  for (const stored of [null, '', 'password', '$scrypt$n=2,r=1,p=1$$', '$2b$10$abcdefghijklmnopqrstuv']) {
    expect(await verifyPassword('password', stored)).toBe(false);
  }
});

test('files can be read while passwords are hashed', async () => {
  let hashing = true;
  const hashes = Promise.all(Array.from({ length: 6 }, () => hashPassword('x'))).finally(() => (hashing = false));
  let read = 0;
  while (read < 5) {
    await stat('.');
    read++;
  }
  // scrypt must not take all threads of the pool that reads files.
  expect([read, hashing]).toEqual([5, true]);
  await hashes;
});

test('password checks beyond the capacity are refused at once', async () => {
  const refused: unknown[] = [];
  // This test is the last one, because the accepted checks take a while.
  for (let count = 0; count < 80; count++) verifyPassword('x', null).catch((error: unknown) => refused.push(error));
  await new Promise((resolve) => setImmediate(resolve));
  // The accepted checks end within some two seconds.
  expect(refused.length).toBeGreaterThanOrEqual(70);
  expect(refused.length).toBeLessThan(80);
  expect(refused[0]).toMatchObject({ kind: 'too_many', retryAfter: expect.any(Number) });
});
