import { expect, test, vi } from 'vitest';

test('a passphrase costs 128 MB for every guess, which a sealed key says of itself, and opens what was sealed at another cost', async () => {
  vi.resetModules();
  const { openSealedKey, sealKey, setPassphraseCost } = await import('../../src/lib/sealed-key.ts');
  const line = await sealKey('the key', 'a passphrase');
  expect(line).toMatch(/^seo-admin-key-1 17 /);
  setPassphraseCost(10);
  expect(await sealKey('the key', 'a passphrase')).toMatch(/^seo-admin-key-1 10 /);
  expect(await openSealedKey(line, 'a passphrase')).toBe('the key');
  expect(await openSealedKey(line, 'another')).toBeNull();
});
