// `xmlriver|arsenkin list|add|edit|remove|test`.
import { expect, test } from 'vitest';
import { arsenkin, done, KEY, river, run, TOKEN, useSearchCli } from './world.ts';

useSearchCli();

test.each([
  { noun: 'xmlriver', field: 'key', secret: KEY, flags: ' --login 12345', balance: /^\d+\.\d\d$/ },
  { noun: 'arsenkin', field: 'token', secret: TOKEN, flags: '', balance: /^500$/ },
])('$noun: an account is added, tested, edited and removed, and its secret is never shown', async (kind) => {
  const { noun, field, secret, flags, balance } = kind;
  const rehearsed = await done(`${noun} add Main${flags} --${field}-stdin --dry-run`, [], secret);
  expect(rehearsed.dry_run).toBe(true);
  expect((await done(`${noun} list`)).items).toEqual([]);
  const added = await run(`${noun} add Main${flags} --${field}-stdin --json`, [], `${secret}\n`);
  expect([added.exit, added.json.balance, added.json[field]]).toEqual([0, expect.stringMatching(balance), '********']);
  const tested = await run(`${noun} test Main --json`);
  expect([tested.exit, tested.json.items.length]).toEqual([0, 1]);
  const edited = await run(`${noun} edit Main --name Other --json`);
  expect([edited.exit, edited.json.name]).toEqual([0, 'Other']);
  const wrong = await run(`${noun} edit Other --${field}-stdin --json`, [], 'wrong-0123456789');
  expect([wrong.exit, wrong.json.check_error]).toEqual([0, expect.any(String)]);
  expect((await run(`${noun} test --json`)).exit).not.toBe(0);
  const table = await run(`${noun} list`);
  const csv = await run(`${noun} list --csv`);
  for (const { stdout, stderr } of [added, tested, edited, wrong, table, csv]) {
    expect(stdout + stderr).not.toContain(secret);
    expect(stdout + stderr).not.toContain('wrong-0123456789');
  }
  const refused = await run(`${noun} remove Other --json`);
  expect([refused.exit, refused.json.error.code]).toEqual([2, 'usage']);
  await done(`${noun} remove Other --yes`);
  const gone = await run(`${noun} remove Other --yes --json`);
  expect([gone.exit, gone.json.error.code]).toEqual([1, 'not_found']);
  expect(gone.json.error.message).toContain('Other');
  expect((await run(`${noun} add NoSecret${flags} --json`)).exit).toBe(2);
  expect((await run(`${noun} add Bad${flags} --${field} ${secret} --json`)).json.error.code).toBe('usage');
  expect([river.charged, arsenkin.tasks]).toEqual([[], []]);
});
