// The file that npm links as `seo-admin`, in a checkout without a build.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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

test('a checkout is built once after an install, and again after its sources or what was built have changed', () => {
  const at = (name: string): string => join(home, name);
  mkdirSync(at('node_modules/vite'), { recursive: true });
  mkdirSync(at('src'));
  writeFileSync(at('src/a.ts'), 'one');
  writeFileSync(at('package.json'), '{"scripts":{"build":"node build.mjs"}}');
  const build = `import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
    mkdirSync('dist', { recursive: true });
    mkdirSync('builds', { recursive: true });
    writeFileSync('dist/a.js', '');
    writeFileSync('builds/' + readdirSync('builds').length, '');`;
  writeFileSync(at('build.mjs'), build);
  const builds = (): number => {
    const { status, stderr } = spawnSync(process.execPath, [at('bin/prepare.mjs')], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    return readdirSync(at('builds')).length;
  };
  expect([builds(), builds()]).toEqual([1, 1]);
  writeFileSync(at('src/a.ts'), 'two');
  expect([builds(), builds()]).toEqual([2, 2]);
  // Built by hand from other sources, which were put back since.
  writeFileSync(at('dist/a.js'), 'other');
  utimesSync(at('dist/a.js'), new Date(), new Date(Date.now() + 1_000));
  expect(builds()).toBe(3);
  rmSync(at('dist'), { recursive: true });
  expect(builds()).toBe(4);
});
