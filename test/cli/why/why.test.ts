// `why NAME` in processes of its own, at a registry on loopback.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRegistry, type RegistryServer } from '../../../src/demo/registry.ts';
import { closedPort } from '../../support/world.ts';
import { makeAdminHome, type Home, type Run } from '../cli.ts';

const NAME = 'held.com';
let home: Home;
let registry: RegistryServer;
let env: Record<string, string>;
let statuses: string[];

beforeAll(async () => {
  registry = await startRegistry({
    find: () => ({
      expires_at: '2040-01-01T00:00:00.000Z',
      registrar: 'Registrar',
      statuses,
      name_servers: ['ns1.example.net'],
    }),
  });
  const port = await closedPort();
  env = {
    RDAP_URL: registry.rdap,
    WHOIS_SERVER: registry.whois,
    SEO_ADMIN_CONNECT_TO: `::127.0.0.1:${port}`,
    SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on',
  };
  home = await makeAdminHome();
  await home.run(['domain', 'add', NAME, 'other.com']);
});
afterAll(async () => {
  await registry.close();
  home.remove();
});
beforeEach(() => {
  statuses = ['client hold'];
});

const why = (...args: string[]): Promise<Run> => home.run(['why', ...args, '--lang', 'en'], { env });

describe('why', () => {
  test('prints the ladder up to the broken layer, its sentence and the command that goes on; exit 0', async () => {
    const { exit, stdout } = await why(NAME);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^✕ Registration +held\.com is on hold \(client hold\): ask the registrar why$/m);
    expect(stdout).toMatch(/^· Delegation +Not asked$/m);
    expect(stdout).toContain('To mend it: seo-admin check expiry held.com');
  });

  test('goes on behind what is fine, and names what does not answer', async () => {
    statuses = ['active'];
    const { exit, stdout } = await why(NAME);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^✓ Registration +Registered until 2040-01-01$/m);
    expect(stdout).toMatch(/^– Zone +The domain has no CDN account$/m);
    expect(stdout).toMatch(/^\? Edge certificate /m);
    expect(stdout).toMatch(/^✕ Edge +held\.com does not answer\. Connection refused$/m);
    expect(stdout).not.toContain('To mend it');
  });

  test('has one document for programs, and exit 3 only where that is asked for', async () => {
    const { exit, json } = await why(NAME, '--json', '--fail-on-broken');
    expect({ exit, ok: json.ok, steps: json.items.length }).toEqual({ exit: 3, ok: true, steps: 12 });
    expect(json.diagnosis).toMatchObject({ domain: NAME, broken: 'registrar', act: 'registration' });
    expect(json.items[0]).toMatchObject({ layer: 'registrar', state: 'broken' });
    expect(json.items[1]).toEqual({ layer: 'delegation', state: 'not_asked', message: null, act: null });
  });

  test('shows the last answer with --stored and asks nothing; without one it says so', async () => {
    await why(NAME);
    registry.queries.length = 0;
    expect((await why(NAME, '--stored', '--json')).json.diagnosis).toMatchObject({ broken: 'registrar' });
    const none = await why('other.com', '--stored');
    expect([none.exit, none.stdout]).toEqual([0, 'Nobody has asked about this domain yet\n']);
    expect(registry.queries).toEqual([]);
  });
});
