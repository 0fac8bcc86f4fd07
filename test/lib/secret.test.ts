import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { isSealed, seal, unseal, useSecretKey } from '../../src/lib/secret.ts';

beforeEach(() => useSecretKey(randomBytes(32)));

test.each(['', 'a', 'correct horse', 'ключ '.repeat(2000)])('a sealed text comes back: %#', (text) => {
  const sealed = seal('servers.ssh_password:1', text);
  expect(isSealed(sealed)).toBe(true);
  expect(unseal('servers.ssh_password:1', sealed)).toBe(text);
});

test('the same secret is sealed differently each time', () => {
  expect(seal('servers.ssh_password:1', 'secret')).not.toBe(seal('servers.ssh_password:1', 'secret'));
});

const unreadable = expect.objectContaining({ kind: 'not_configured', code: 'secret_unreadable' });

test('a secret can be unsealed in its own cell only', () => {
  const sealed = seal('servers.ssh_password:1', 'secret');
  for (const place of ['servers.ssh_password:2', 'registrars.password:1', 'servers.ssh_password:11'] as const) {
    expect(() => unseal(place, sealed)).toThrow(unreadable);
  }
});

test('a secret is not unsealed with another key, damaged or in another form', () => {
  const sealed = seal('servers.ssh_password:1', 'secret');
  const at = sealed.length - 3;
  const damaged = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  for (const text of [damaged, sealed.slice(0, -4), sealed.slice(0, 20), 'secret', '', `v2${sealed.slice(2)}`]) {
    expect(() => unseal('servers.ssh_password:1', text)).toThrow(unreadable);
  }
  useSecretKey(randomBytes(32));
  expect(() => unseal('servers.ssh_password:1', sealed)).toThrow(unreadable);
  useSecretKey(null);
  expect(() => seal('servers.ssh_password:1', 'secret')).toThrow('no key');
});

test.each(['v1.', 'v1.a.b', 'plain', `v1.${'x'.repeat(16)}.short`, ''])('%s is not sealed', (text) =>
  expect(isSealed(text)).toBe(false),
);
