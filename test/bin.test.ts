// The file that npm links as `seo-admin`, in a checkout without a build.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'seo-admin-bin-'));
  cpSync(fileURLToPath(new URL('../bin', import.meta.url)), join(home, 'bin'), { recursive: true });
  symlinkSync(join(home, 'bin/seo-admin.js'), join(home, 'seo-admin'));
});
afterEach(() => rmSync(home, { recursive: true }));

test.each(['bin/seo-admin.js', 'seo-admin'])('%s of an unbuilt checkout says how to build it', (path) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, path), '--help'], { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([1, '', 'seo-admin: this checkout is not built: npm run build\n']);
});
