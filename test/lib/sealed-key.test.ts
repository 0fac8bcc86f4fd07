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

test('a byte order mark is no part of a passphrase; a key that was sealed with one is opened by the words alone, and with it', async () => {
  const { openSealedKey, sealKey } = await import('../../src/lib/sealed-key.ts');
  const words = 'long passphrase here';
  // Sealed by a version that took the mark for a part of it.
  const former = 'seo-admin-key-1 10 LePneft1r-v0p87KzJ6x2w R5LmS6FbL3GTbl-o BEO6djIzcYmKNpfouTTbw2F-VY5xlRk';
  for (const line of [former, await sealKey('the key', words), await sealKey('the key', `\uFEFF${words}`)]) {
    expect(await openSealedKey(line, words)).toBe('the key');
    expect(await openSealedKey(line, `\uFEFF${words}`)).toBe('the key');
    expect(await openSealedKey(line, 'another passphrase')).toBeNull();
  }
});
