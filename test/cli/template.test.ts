import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { craft, SITE, zipOf } from '../support/zips.ts';
import { makeAdminHome, type Home, type Run } from './cli.ts';

let home: Home;
let zip: string;

beforeAll(async () => {
  home = await makeAdminHome();
  zip = home.file('promo.zip', zipOf(SITE));
});
afterAll(() => home.remove());

const run = (...words: string[]): Promise<Run> => home.run([...words, '--json', '--lang', 'en']);

test('a template is scanned, added, listed, edited, saved and removed', async () => {
  const scanned = await run('template', 'scan', zip);
  expect(scanned.json).toMatchObject({ ok: true, warnings: [], summary: { files: 3 } });
  expect(scanned.json.items.map(({ path }: { path: string }) => path)).toEqual([
    'css/site.css',
    'index.html',
    'robots.txt',
  ]);
  const rehearsal = await run('template', 'add', zip, '--dry-run');
  expect(rehearsal.json).toMatchObject({ dry_run: true, items: [{ name: 'promo', files: 3 }] });
  expect((await run('template', 'list')).json.items).toEqual([]);
  expect((await run('template', 'add', zip)).json).toMatchObject({ ok: true, id: 1, name: 'promo', file_path: null });
  expect((await run('template', 'add', '--name', 'Second', '--file', zip)).json).toMatchObject({
    id: 2,
    name: 'Second',
  });
  const next = home.file('next.zip', zipOf({ 'index.html': 'TITLE' }));
  expect((await run('template', 'edit', 'Second', '--file', next)).json).toMatchObject({
    name: 'Second',
    file_name: 'next.zip',
  });
  const lacking = await run('template', 'scan', 'Second');
  expect(lacking.json.warnings).toHaveLength(3);
  expect(lacking.stderr).toContain('no BODY');
  const saved = home.file('saved.zip', '');
  expect((await run('template', 'download', 'promo', '-o', saved)).json).toMatchObject({ ok: true, file: saved });
  expect(readFileSync(saved)).toEqual(zipOf(SITE));
  expect((await run('template', 'remove', '1', '--dry-run')).json).toMatchObject({
    dry_run: true,
    items: [{ name: 'promo' }],
  });
  expect((await run('template', 'remove', 'promo', '--yes')).json).toMatchObject({ ok: true, name: 'promo' });
  expect((await run('template', 'list')).json.items).toMatchObject([{ name: 'Second', placeholders: ['TITLE'] }]);
});

test('a template is saved over an ordinary file alone, and over none of the installation', async () => {
  const [pipe, link] = [home.file('pipe', ''), home.file('link', '')];
  rmSync(pipe);
  rmSync(link);
  execFileSync('mkfifo', [pipe]);
  symlinkSync(pipe, link);
  for (const path of [pipe, link]) {
    const { exit, stderr } = await run('template', 'download', 'Second', '-o', path);
    const told = `seo-admin: this is no ordinary file, but a device, a pipe or a socket: ${path}\n`;
    expect([exit, stderr]).toEqual([1, told]);
  }
  for (const name of ['key', 'seo-admin.sqlite', 'seo-admin.sqlite-journal', 'seo-admin.config.json']) {
    const path = join(home.dir, name);
    const before = existsSync(path) && readFileSync(path, 'latin1');
    const { exit, stderr } = await run('template', 'download', 'Second', '-o', path);
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining(`this file is one of the installation itself: ${path}`),
    ]);
    expect((existsSync(path) && readFileSync(path, 'latin1')) === before).toBe(true);
  }
});

test.each<[string, Buffer | string, string]>([
  ['evil.zip', craft([{ name: '../evil.html' }]), '../evil.html'],
  ['bare.zip', zipOf({ 'a.html': 'x' }), 'index.html'],
  ['text.zip', 'not a ZIP at all, but long enough to be one', 'Only ZIP files are allowed'],
  ['site.rar', zipOf(SITE), 'Only ZIP files are allowed'],
])('%s is refused with its reason', async (name, bytes, reason) => {
  const file = home.file(name, bytes);
  for (const verb of ['scan', 'add']) {
    const { exit, json } = await run('template', verb, file);
    expect([exit, json.error.message]).toEqual([2, expect.stringContaining(reason)]);
  }
});

test('a missing file, an unknown template and a missing argument are refused', async () => {
  expect((await run('template', 'add', '/nowhere/at/all.zip')).json).toMatchObject({ exit: 1 });
  expect((await run('template', 'scan', 'Nobody')).json).toMatchObject({ exit: 1 });
  expect((await run('template', 'add')).json).toMatchObject({ exit: 2 });
});
