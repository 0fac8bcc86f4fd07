// The ladders of the demo's domains: they break at many layers, each time alike.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase } from '../../db/index.ts';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { openForCommand } from '../../src/cli/open.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { findDomainByName } from '../../src/services/portfolio/domain-lists.ts';
import { diagnose } from '../../src/services/why/why.ts';

let root: string;
let demo: Demo;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'seo-admin-why-'));
  demo = await startDemo(loadConfig({ dataDir: root }, {}), { size: 60, frozen: false });
  await openForCommand(demo.config, undefined);
});
afterAll(async () => {
  await closeDatabase();
  await demo.close();
  rmSync(root, { recursive: true, force: true });
});

const BROKEN: Record<string, string | null> = {
  'astro-blog.ru': null,
  'astro-portal.com': 'registrar',
  'remont-blog.org': 'zone',
  'ruki-plus.com': 'edge',
  'ruki-mir.ru': 'origin',
  'vkus-plus.org': 'content',
  'astro-mir.ru': 'blocklist',
  'ruki-blog.site': 'index',
};

test('domains of the demo break at many layers, and some at none', async () => {
  const found = await Promise.all(
    Object.keys(BROKEN).map(async (name) => {
      const { id } = await findDomainByName(SYSTEM, name);
      const { domain, broken } = await diagnose(SYSTEM, id);
      return [domain, broken];
    }),
  );
  expect(Object.fromEntries(found)).toEqual(BROKEN);
});
