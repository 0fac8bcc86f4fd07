import { describe, expect, test } from 'vitest';
import { checkHealth } from '../../src/providers/health.ts';
import type { HealthResult } from '../../src/shared/checks/health.ts';
import { startWorld } from '../support/world.ts';
import { check, closed, jam, one, silence, SITES, to, useWorld, world } from './health-world.ts';

useWorld();

describe('a verdict', () => {
  test.each([
    ['fine.test', 200],
    ['gone.test', 404],
    ['broken.test', 503],
    ['odd.test', 999],
    ['huge.test', 200],
    ['hints.test', 410],
    ['lengths.test', 200],
    ['blank.test', 403],
    ['bare.test', 500],
  ])('of %s is the code %i', async (host, code) => {
    for (const scheme of ['http', 'https'] as const) {
      expect(await one(host, { scheme })).toMatchObject({
        domain: host,
        http_status_code: code,
        error: null,
        redirects: [],
        scheme,
        final_url: `${scheme}://${host}/`,
      });
    }
  });

  test.each([
    ['reset.test', 'reset'],
    ['close.test', 'reset'],
    ['hang.test', 'timeout'],
    ['drip.test', 'timeout'],
    ['garbage.test', 'bad_answer'],
    ['upgrade.test', 'reset'],
  ])('of %s is %s', async (host, error) => {
    for (const scheme of ['http', 'https', 'auto'] as const) {
      expect(await one(host, { scheme })).toMatchObject({ http_status_code: null, error, scheme: null });
    }
  });

  test.each(['', ' ', 'a b', 'a/b', 'user@host.test', 'host.test:8080', '[::1', 'a#b', 'x?y', '%zz'])(
    'of %j is bad_name',
    async (host) => {
      expect(await one(host)).toMatchObject({
        domain: host,
        error: 'bad_name',
        final_url: null,
        http_status_code: null,
      });
    },
  );

  test('distinguishes the causes of a missing connection', async () => {
    const http = { scheme: 'http' } as const;
    expect(await one('a.test', http, [to('', null, closed)])).toMatchObject({ error: 'connect_refused' });
    expect(await one('a.test', http, [to('', null, jam.port)])).toMatchObject({ error: 'connect_timeout' });
    expect(await one('a.test', { scheme: 'https' }, [to('', null, closed)])).toMatchObject({
      error: 'connect_refused',
    });
    expect(await one('a.test', { scheme: 'https' }, [to('', null, silence.port)])).toMatchObject({ error: 'timeout' });
    expect(await one('a.test', { scheme: 'https' }, [to('', null, world.port)])).toMatchObject({ error: 'tls' });
  });

  test('follows a redirect whose headers break the grammar', async () => {
    expect(await one('sloppy.test', { scheme: 'http' })).toMatchObject({
      http_status_code: 200,
      final_url: 'http://fine.test/',
    });
  });

  test('reports an IDN as given, and requests its ASCII form', async () => {
    const result = await one('пример.испытание', { scheme: 'http' });
    expect(result).toMatchObject({ domain: 'пример.испытание', http_status_code: 200 });
    expect(result.final_url).toBe('http://xn--e1afmkfd.xn--80akhbyknj4f/');
  });

  test('reports a certificate error of a site that is up', async () => {
    expect(await one('fine.test')).toMatchObject({ http_status_code: 200, scheme: 'https', tls_error: 'self_signed' });
    expect(await one('fine.test', { scheme: 'http' })).toMatchObject({ tls_error: null });
  });

  test('is requested without any secret', async () => {
    world.seen.length = 0;
    await one('fine.test', { scheme: 'http' });
    expect(Object.keys(world.seen[0]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });
});

describe('the scheme auto', () => {
  test('asks https only, where https answers', async () => {
    world.seen.length = 0;
    expect(await one('split.test')).toMatchObject({ http_status_code: 202, scheme: 'https' });
    expect(world.seen.map((request) => request.url)).toEqual(['https://split.test/']);
  });

  test.each([
    ['is refused', () => closed],
    ['speaks plain HTTP', () => world.port],
    ['says nothing', () => silence.port],
    ['takes no connection', () => jam.port],
  ])('asks http where 443 %s', async (_what, port) => {
    const result = await one('split.test', {}, [to('', 443, port())]);
    expect(result).toMatchObject({ http_status_code: 201, scheme: 'http', final_url: 'http://split.test/' });
  });

  test('reports the scheme that got further where both fail', async () => {
    const both = (https: number, http: number) => [to('', 443, https), to('', 80, http)];
    expect(await one('a.test', {}, both(closed, closed))).toMatchObject({ error: 'connect_refused' });
    expect(await one('a.test', {}, both(world.port, closed))).toMatchObject({
      error: 'tls',
      final_url: 'https://a.test/',
    });
    expect(await one('a.test', {}, both(jam.port, jam.port))).toMatchObject({ error: 'connect_timeout' });
    expect(await one('hang.test', {}, both(closed, world.port))).toMatchObject({ error: 'timeout' });
  });
});

describe('many hosts', () => {
  const kinds = ['fine.test', 'gone.test', 'reset.test', 'garbage.test', 'hang.test'];
  const verdicts = [200, 404, 'reset', 'bad_answer', 'timeout'];

  test('get the right results, each once, in any mixture', async () => {
    const sites = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => {
        const kind = kinds[index % 50 === 0 ? 4 : index % 4] ?? '';
        return [`n${index}.test`, { delayMs: (index * 7) % 90, ...SITES[kind] }];
      }),
    );
    const many = await startWorld(sites);
    const hosts = Object.keys(sites);
    const results: HealthResult[] = [];
    const connectTo = [to('', 443, many.tlsPort), to('', null, many.port)];
    for (const scheme of ['http', 'auto'] as const) {
      results.length = 0;
      await checkHealth([...hosts, ...hosts], { scheme, timeoutMs: 10_000, concurrency: 60, connectTo }, (result) =>
        results.push(result),
      );
      const found = Object.fromEntries(
        results.map((result) => [result.domain, result.http_status_code ?? result.error]),
      );
      expect(results).toHaveLength(500);
      expect(found).toEqual(
        Object.fromEntries(hosts.map((host, index) => [host, verdicts[index % 50 === 0 ? 4 : index % 4]])),
      );
    }
    await many.close();
  });

  test('start with the slow ones', async () => {
    world.seen.length = 0;
    const options = { scheme: 'http', concurrency: 1, slowFirst: new Set(['gone.test', 'unknown.test']) } as const;
    await check(['fine.test', 'broken.test', 'gone.test'], options);
    expect(world.seen.map((request) => request.headers.host)).toEqual(['gone.test', 'fine.test', 'broken.test']);
  });

  test('never have negative times while this process is blocked', async () => {
    const hosts = Array.from({ length: 20 }, (_, index) => `none${index}.test`);
    const connectTo = [to('', null, world.port)];
    const times: number[] = [];
    await checkHealth(hosts, { scheme: 'http', concurrency: 4, connectTo }, ({ ms }) => {
      times.push(ms);
      const end = performance.now() + 70;
      while (performance.now() < end);
    });
    expect(times).toHaveLength(20);
    expect(times.filter((ms) => ms < 0)).toEqual([]);
  });

  test('stop at a signal: nothing new starts, and aborted checks give no result', async () => {
    world.seen.length = 0;
    const stop = new AbortController();
    const results: string[] = [];
    const run = checkHealth(
      ['fine.test', 'hang.test', 'mute.test', 'broken.test'],
      {
        scheme: 'http',
        timeoutMs: 60_000,
        concurrency: 2,
        connectTo: [to('', null, world.port)],
        signal: stop.signal,
      },
      (result) => {
        results.push(result.domain);
        setTimeout(() => stop.abort(), 50);
      },
    );
    await run;
    expect(results).toEqual(['fine.test']);
    expect(world.seen.map((request) => request.headers.host)).not.toContain('broken.test');
  });

  test('do not start at all after a signal', async () => {
    world.seen.length = 0;
    expect(await check(['fine.test'], { signal: AbortSignal.abort() })).toEqual([]);
    expect(world.seen).toEqual([]);
  });
});
