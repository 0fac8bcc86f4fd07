import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  emptyState,
  openStore,
  type CloudflareState,
  type PageRule,
  type Store,
} from '../../src/demo/cloudflare/state.ts';
import { newZone } from '../../src/demo/cloudflare/zones.ts';
import type { Trouble } from '../../src/demo/domains.ts';
import { startSites, type Sites } from '../../src/demo/sites.ts';
import { checkHealth } from '../../src/providers/health.ts';
import { parseConnectTo } from '../../src/lib/outgoing/connect-to.ts';
import type { HealthResult } from '../../src/shared/checks/health.ts';
import { request } from '../support/server.ts';

const NOW = '2026-11-20T00:00:00Z';

let folder: string;
let state: CloudflareState;
let store: Store;
let troubles: Record<string, Trouble>;
let sites: Sites;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'demo-sites-'));
  state = emptyState();
  state.accounts = [
    { id: 'one', name: 'One', type: 'standard', created_on: NOW, name_servers: ['a.ns', 'b.ns'], pending_cap: 50 },
  ];
  store = openStore(state, () => NOW);
  troubles = {};
  sites = await startSites(troubles, { cloudflare: state, root: folder });
});
afterEach(async () => {
  await sites.close();
  rmSync(folder, { recursive: true });
});

async function ask(host: string, path = '/') {
  const answer = await request({ url: `http://127.0.0.1:${sites.port}` }, `GET ${path}`, { headers: { host } });
  return {
    status: answer.status,
    location: answer.headers['location'],
    type: answer.headers['content-type'],
    text: answer.text,
  };
}

const WWW = '/var/www/www-root/data/www';
function lay(path: string, content: string): void {
  const place = join(folder, path);
  mkdirSync(join(place, '..'), { recursive: true });
  writeFileSync(place, content);
}

interface Facts {
  rules?: { pattern: string; url: string; priority?: number; status?: PageRule['status'] }[];
  proxied?: boolean;
  status?: 'active' | 'pending';
}

function zone(name: string, { rules = [], proxied = true, status = 'active' }: Facts = {}) {
  const at = { created_on: NOW, modified_on: NOW };
  const record = (name: string) => ({
    ...at,
    id: store.newId(),
    type: 'A',
    name,
    content: '192.0.2.1',
    proxied,
    proxiable: true,
    ttl: 1,
    comment: null,
    tags: [],
    settings: {},
    meta: {},
  });
  const made = newZone(store, {
    name,
    account_id: 'one',
    status,
    records: [record(name), record(`www.${name}`)],
    page_rules: rules.map(({ pattern, url, priority = 1, status = 'active' }) => ({
      ...at,
      id: store.newId(),
      targets: [{ target: 'url', constraint: { operator: 'matches', value: pattern } }],
      actions: [{ id: 'forwarding_url', value: { url, status_code: 301 } }],
      status,
      priority,
    })),
  });
  store.add(made);
  return made;
}

describe('a host', () => {
  test('answers with its own page, or with its trouble', async () => {
    const page = await ask('a.example');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<title>a.example: ')]);
    troubles['a.example'] = { status: 503, error: null };
    expect(await ask('a.example')).toMatchObject({ status: 503 });
    delete troubles['a.example'];
    sites.off.add('a.example');
    await expect(ask('a.example')).rejects.toThrow('ECONNRESET');
    sites.off.clear();
    expect(await ask('a.example:8080')).toMatchObject({ status: 200 });
  });

  test('with a web root serves its files, through links too', async () => {
    lay('/releases/1/index.html', 'one');
    lay('/releases/1/css/a.css', 'a{}');
    lay('/releases/1/страница.txt', 'text');
    lay('/releases/2/index.html', 'two');
    mkdirSync(join(folder, WWW), { recursive: true });
    symlinkSync('/releases/1', join(folder, WWW, 'a.example'));
    expect(await ask('a.example')).toMatchObject({ status: 200, text: 'one', type: 'text/html; charset=utf-8' });
    expect(await ask('www.a.example')).toMatchObject({ status: 200, text: 'one' });
    expect(await ask('a.example', '/css/a.css?v=1')).toMatchObject({ text: 'a{}', type: 'text/css; charset=utf-8' });
    expect(await ask('a.example', encodeURI('/страница.txt'))).toMatchObject({ status: 200, text: 'text' });
    for (const path of ['/none', '/css', '/%', '/%00', '/../../2/index.html', '/..%2f..%2f2/index.html']) {
      expect([path, (await ask('a.example', path)).status]).toEqual([path, 404]);
    }
    rmSync(join(folder, WWW, 'a.example'));
    symlinkSync('../../../../../releases/2', join(folder, WWW, 'a.example'));
    expect((await ask('a.example')).text).toBe('two');
    troubles['a.example'] = { status: 502, error: null };
    expect((await ask('a.example')).status).toBe(502);
  });
});

describe('the edge', () => {
  test('redirects by a page rule with wildcards, path and query', async () => {
    zone('a.example', { rules: [{ pattern: '*a.example/*', url: 'https://b.example/$2' }] });
    expect(await ask('a.example', '/x/y?z=1')).toMatchObject({ status: 301, location: 'https://b.example/x/y?z=1' });
    expect(await ask('www.a.example')).toMatchObject({ status: 301, location: 'https://b.example/' });
    expect(await ask('mail.a.example')).toMatchObject({ status: 200 });
  });

  test('applies the rule with the higher priority, and no disabled one', async () => {
    zone('a.example', {
      rules: [
        { pattern: '*a.example/*', url: 'https://low.example/$2', priority: 1 },
        { pattern: 'http://a.example/*', url: 'https://high.example/$1', priority: 2 },
        { pattern: '*a.example/*', url: 'https://off.example/$2', priority: 3, status: 'disabled' },
      ],
    });
    expect((await ask('a.example')).location).toBe('https://high.example/');
    expect((await ask('www.a.example')).location).toBe('https://low.example/');
  });

  test('applies a single redirect before page rules', async () => {
    const { rulesets } = zone('a.example', { rules: [{ pattern: '*a.example/*', url: 'https://rule.example/$2' }] });
    const rule = {
      id: '1',
      ref: '1',
      action: 'redirect',
      expression: '(http.host eq "a.example") or (http.host eq "www.a.example")',
      description: '',
      enabled: true,
      version: '1',
      last_updated: NOW,
      action_parameters: {
        from_value: {
          status_code: 301,
          target_url: { expression: 'concat("https://b.example", http.request.uri.path)' },
          preserve_query_string: true,
        },
      },
    };
    const phase = 'http_request_dynamic_redirect';
    const facts = { id: '1', name: 'default', description: '', kind: 'zone', version: '1', last_updated: NOW } as const;
    rulesets.push({ ...facts, phase, rules: [rule] });
    expect((await ask('a.example', '/x?y=1')).location).toBe('https://b.example/x?y=1');
    expect((await ask('www.a.example', '/x')).location).toBe('https://b.example/x');
    rule.enabled = false;
    expect((await ask('a.example', '/x')).location).toBe('https://rule.example/x');
  });

  test('handles only proxied records of an active zone', async () => {
    const rules = [{ pattern: '*a.example/*', url: 'https://b.example/$2' }];
    const pending = zone('a.example', { rules, status: 'pending' });
    expect((await ask('a.example')).status).toBe(200);
    pending.status = 'active';
    expect((await ask('a.example')).status).toBe(301);
    for (const record of pending.records) record.proxied = false;
    expect((await ask('a.example')).status).toBe(200);
    store.remove(pending.id);
    zone('a.example', { rules });
    expect((await ask('a.example')).status).toBe(301);
  });

  test('can be followed by a check over https, in a loop as well', async () => {
    zone('a.example', { rules: [{ pattern: '*a.example/*', url: 'https://b.example/$2' }] });
    zone('c.example', { rules: [{ pattern: '*c.example/*', url: 'https://c.example/$2' }] });
    const found: HealthResult[] = [];
    const connectTo = parseConnectTo(`::127.0.0.1:${sites.port}`);
    await checkHealth(['a.example', 'c.example', 'b.example', 'd.example'], { connectTo, concurrency: 1 }, (result) =>
      found.push(result),
    );
    expect(
      found.map(({ domain, http_status_code, error, final_url }) => [domain, http_status_code, error, final_url]),
    ).toEqual([
      ['a.example', 200, null, 'https://b.example/'],
      ['c.example', null, 'redirect_loop', 'https://c.example/'],
      ['b.example', 200, null, 'https://b.example/'],
      ['d.example', 200, null, 'http://d.example/'],
    ]);
  });
});
