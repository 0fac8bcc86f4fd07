// The gate: the answers that a reserve must give before visitors are sent there, and the addresses that the gate may ask.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAuthority } from '../../../src/demo/sites/certificate.ts';
import { useConfig, type Config } from '../../../src/lib/config.ts';
import { Waiting } from '../../../src/operations/waiting.ts';
import {
  gateRules,
  lookOnce,
  passGate,
  seenAt,
  setGate,
  type Gate,
  type Model,
} from '../../../src/services/transfers/gate.ts';
import { printOf } from '../../../src/services/sites/site-print.ts';
import { sitePage, STOCK, UNCLEAR } from '../../support/page-corpus.ts';
import { QUICK_GATE } from '../../support/quick-gate.ts';
import { temporaryConfig } from '../../support/server.ts';
import { startTrap } from '../../support/world.ts';

interface Answer {
  status?: number;
  location?: string;
  body?: string;
}

const DOMAIN = 'reserve.com';
const ADDRESS = '203.0.113.10';
const MARKER = { path: 'abc.txt', content: Buffer.from('the id\n') };

const authority = startAuthority();
/** The certificate in the handshake: that of the name, of another name, or none. */
let certificate: 'good' | 'foreign' | 'none' = 'good';
let port: number;
let tlsPort: number;
const servers: { close: (done: () => void) => void }[] = [];
let answer: (host: string, path: string, count: number) => Answer;
let asked: string[] = [];

const usual = gateRules();
beforeEach(() => setGate({ ...QUICK_GATE, limitMs: 600 }));
beforeAll(async () => {
  const listener = (scheme: string) => (request: IncomingMessage, response: ServerResponse) => {
    const host = request.headers.host ?? '';
    asked.push(`${scheme}://${host}${request.url}`);
    const { status = 200, location, body = '' } = answer(host, request.url ?? '', asked.length);
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  };
  const plain = createServer(listener('http'));
  const secure = createTlsServer(
    {
      SNICallback: (name, give) => {
        const subject = certificate === 'foreign' ? 'another.com' : name;
        give(null, createSecureContext(certificate === 'none' ? {} : authority.issue(subject)));
      },
    },
    listener('https'),
  );
  for (const server of [plain, secure]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
  }
  [port, tlsPort] = [plain, secure].map((server) => (server.address() as AddressInfo).port) as [number, number];
});
afterAll(() => Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve)))));
afterEach(() => {
  asked = [];
  certificate = 'good';
});

const world = (settings: Partial<Config> = {}): Config =>
  temporaryConfig({
    allowPrivate: true,
    connectTo: `${ADDRESS}::127.0.0.1:${port},:443:127.0.0.1:${tlsPort},::127.0.0.1:${port}`,
    ca: authority.ca,
    ...settings,
  });
const BARE: Gate = { domain: DOMAIN, address: ADDRESS, marker: null, model: null };
const pass = async (gate: Partial<Gate> = {}, config = world(), isOver?: boolean): Promise<string> => {
  const signal = new AbortController().signal;
  useConfig(config);
  try {
    await passGate({ ...BARE, ...gate }, signal, isOver);
    return 'passed';
  } catch (error) {
    if (error instanceof Waiting) return JSON.stringify(error.say('2026-01-01T10:20:30.000Z'));
    const { key, params } = error as { key: string; params: { what?: string } };
    return params.what ?? key;
  }
};
/** The print of a page of the reserve as a plan contains it. */
const printed = (html: string): string => printOf(html, [DOMAIN, 'main.com']);
const good =
  (body = '') =>
  () => ({ body });

test('the gate asks for three answers a second apart within half a minute, and waits for a certificate for ten minutes', () => {
  expect(usual).toEqual({
    answers: 3,
    everyMs: 1_000,
    limitMs: 30_000,
    timeoutMs: 8_000,
    certificate: { everyMs: 10_000, limitMs: 600_000 },
    redirect: { everyMs: 15_000, limitMs: 900_000 },
  });
});

test('the gate passes after three good answers in a row, each by the server and then as visitors reach it', async () => {
  answer = good();
  expect(await pass()).toBe('passed');
  const pair = [`http://${DOMAIN}/`, `https://${DOMAIN}/`];
  expect(asked).toEqual([...pair, ...pair, ...pair]);
});

test('a bad answer in between restarts the count', async () => {
  answer = (_host, _path, count) => ({ status: count === 4 ? 500 : 200 });
  expect(await pass()).toBe('passed');
  expect(asked.length).toBeGreaterThan(8);
});

test.each<[string, Answer, string]>([
  ['an error', { status: 503 }, `${ADDRESS}: HTTP 503`],
  ['a status 300', { status: 300 }, `${ADDRESS}: HTTP 300`],
  ['not found', { status: 404 }, `${ADDRESS}: HTTP 404`],
  ['a redirect to another site', { status: 301, location: 'https://elsewhere.com/' }, `${ADDRESS}: → elsewhere.com`],
  ['a redirect loop', { status: 302, location: `http://${DOMAIN}/` }, `${ADDRESS}: too_many_redirects`],
])('the gate does not pass with %s', async (_name, bad, what) => {
  answer = (host) => (host === DOMAIN ? bad : {});
  expect(await pass()).toBe(what);
});

test('a status of 299 is a good answer', async () => {
  answer = () => ({ status: 299 });
  expect(await pass()).toBe('passed');
});

test('a redirect to its own www passes', async () => {
  answer = (host) => (host === DOMAIN ? { status: 301, location: `https://www.${DOMAIN}/` } : {});
  expect(await pass()).toBe('passed');
});

test('a release of ours passes only with its marker and the right id in it', async () => {
  answer = (_host, path) => (path === '/abc.txt' ? { body: 'the id\n' } : {});
  expect(await pass({ marker: MARKER })).toBe('passed');
  answer = good('<h1>parked</h1>');
  expect(await pass({ marker: MARKER })).toBe(`${ADDRESS}: ≠ abc.txt`);
});

test('a marker is read up to 1,000 bytes: a longer one never passes', async () => {
  const marker = (length: number) => ({ path: 'abc.txt', content: Buffer.alloc(length, 'x') });
  answer = (_host, path) => (path === '/abc.txt' ? { body: 'x'.repeat(1_001) } : {});
  expect(await pass({ marker: marker(1_000) })).toBe('passed');
  expect(await pass({ marker: marker(1_001) })).toBe(`${ADDRESS}: ≠ abc.txt`);
});

test('a server without a public address is asked only if allowed, and so is a redirect target', async () => {
  const trap = await startTrap();
  answer = good();
  const config = world({ allowPrivate: false, connectTo: '' });
  expect(await pass({ domain: '127.0.0.1', address: '127.0.0.1' }, config)).toBe('private_address');
  const detour = world({ allowPrivate: false, connectTo: `${DOMAIN}::127.0.0.1:${tlsPort}` });
  expect(await pass({ address: '127.0.0.1' }, detour)).toBe('passed');
  expect(asked).toHaveLength(3);
  answer = () => ({ status: 302, location: `http://127.0.0.1:${trap.port}/` });
  expect(await pass({ address: null }, detour)).toBe('→ 127.0.0.1');
  expect(trap.hits()).toBe(0);
  trap.close();
});

test('a server without a public address is not asked at one port where connectTo redirects only the other', async () => {
  answer = good();
  const connectTo = `:80:127.0.0.1:${port},${DOMAIN}:443:127.0.0.1:${tlsPort}`;
  expect(await pass({ address: '127.0.0.2' }, world({ allowPrivate: false, connectTo }))).toBe('passed');
  expect(asked).toEqual(Array(3).fill(`https://${DOMAIN}/`));
});

test('a server without a public address is asked if allowed, before the name', async () => {
  answer = good();
  const connectTo = `127.0.0.1:80::${port},127.0.0.1:443::${tlsPort},${DOMAIN}:443:127.0.0.1:${tlsPort}`;
  expect(await pass({ address: '127.0.0.1' }, world({ allowPrivate: true, connectTo }))).toBe('passed');
  expect(asked).toEqual(Array(6).fill(`https://${DOMAIN}/`));
});

test('a stop aborts the gate and says nothing about the site', async () => {
  const stop = new AbortController();
  answer = () => {
    stop.abort();
    return {};
  };
  setGate({ limitMs: 0 });
  useConfig(world());
  await expect(passGate(BARE, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

test('no request is sent before its time, nor after the limit', async () => {
  answer = () => ({ status: 503 });
  setGate({ everyMs: 200, limitMs: 100 });
  expect(await pass()).toBe(`${ADDRESS}: HTTP 503`);
  expect(asked).toHaveLength(1);
  setGate({ everyMs: 200, limitMs: 300 });
  expect(await pass()).toBe(`${ADDRESS}: HTTP 503`);
  expect(asked.length).toBeLessThanOrEqual(3);
});

test('seenAt describes the answer of a name in short', async () => {
  let status = 301;
  answer = (host) => (host === 'old.com' ? { status, location: `http://${DOMAIN}/x` } : {});
  const { signal } = new AbortController();
  const see = (domain: string, config = world()) => {
    useConfig(config);
    return seenAt(domain, DOMAIN, signal);
  };
  expect(await see('old.com')).toEqual({ seen: `301 → ${DOMAIN}: HTTP 200`, forwards: true });
  // A temporary redirect (302) does not count as forwarding.
  status = 302;
  expect(await see('old.com')).toEqual({ seen: `302 → ${DOMAIN}: HTTP 200`, forwards: false });
  expect(await see(DOMAIN)).toEqual({ seen: 'HTTP 200', forwards: false });
  // Via its own www, both redirects have to be permanent.
  const byWww = (first: number, second: number) => {
    answer = (host) => {
      if (host === 'old.com') return { status: first, location: 'http://www.old.com/' };
      return host === 'www.old.com' ? { status: second, location: `http://${DOMAIN}/` } : {};
    };
    return see('old.com');
  };
  expect(await byWww(301, 301)).toEqual({ seen: `301 → ${DOMAIN}: HTTP 200`, forwards: true });
  expect(await byWww(301, 302)).toEqual({ seen: `302 → ${DOMAIN}: HTTP 200`, forwards: false });
  expect(await byWww(302, 301)).toEqual({ seen: `302 → 301 → ${DOMAIN}: HTTP 200`, forwards: false });
  expect(await byWww(308, 301)).toEqual({ seen: `308 → 301 → ${DOMAIN}: HTTP 200`, forwards: true });
  status = 301;
  answer = (host) => (host === 'old.com' ? { status, location: `http://${DOMAIN}/x` } : {});
  expect(await seenAt('old.com', 'third.com', signal)).toEqual({
    seen: `301 → ${DOMAIN}: HTTP 200`,
    forwards: false,
  });
  answer = (host) => (host === 'old.com' ? { status, location: `https://www.${DOMAIN}/` } : { status: 404 });
  expect(await see('old.com')).toEqual({ seen: `301 → www.${DOMAIN}: HTTP 404`, forwards: true });
  const away = world({ connectTo: '::127.0.0.1:1' });
  expect(await see(DOMAIN, away)).toEqual({ seen: 'connect_refused', forwards: false });
  // A name forwards even where nobody answers at the target.
  answer = () => ({ status: 301, location: `https://${DOMAIN}/` });
  const down = world({ connectTo: `${DOMAIN}::127.0.0.1:1,:443:127.0.0.1:${tlsPort},::127.0.0.1:${port}` });
  expect(await see('old.com', down)).toEqual({ seen: `301 → ${DOMAIN}: connect_refused`, forwards: true });
});

describe('for a visitor', () => {
  test('a certificate of another name never passes, though the page is good', async () => {
    answer = good();
    certificate = 'foreign';
    expect(await pass()).toBe('TLS: wrong_name');
  });

  test('an untrusted certificate never passes', async () => {
    answer = good();
    expect(await pass({}, world({ ca: startAuthority().ca }))).toMatch(/^TLS: (untrusted|self_signed)$/);
  });

  test('a name without TLS or with a redirect to plain http never passes', async () => {
    answer = good();
    const plain = world({ connectTo: `::127.0.0.1:${port}` });
    expect(await pass({}, plain)).toBe('tls');
    answer = (_host, _path, count) => (count % 2 === 0 ? { status: 301, location: `http://${DOMAIN}/` } : {});
    expect(await pass({ address: null })).toMatch(/^→ http:|too_many_redirects/);
  });

  test('a certificate that is still being issued is waited for, and is refused in the end', async () => {
    answer = good();
    certificate = 'none';
    const waits = { key: 'transfer.waits_certificate', params: { domain: DOMAIN, until: '10:20' } };
    expect(await pass({}, world(), false)).toBe(JSON.stringify(waits));
    expect(await pass({}, world(), true)).toBe('transfer.certificate_late');
    expect(await pass()).toBe('transfer.certificate_late');
    certificate = 'good';
    expect(await pass({}, world(), false)).toBe('passed');
  });
});

describe('a site that was not deployed by us', () => {
  const MAIN = 'main.com';
  let kept: string | null = null;
  const model = { domain: MAIN, address: null, kept: async () => kept };
  const show = (pages: Record<string, string>) => {
    answer = (host) => (host in pages ? { body: pages[host]! } : { status: 503 });
  };

  test('passes where it shows the site of the source', async () => {
    show({ [MAIN]: sitePage(1, MAIN), [DOMAIN]: sitePage(1, DOMAIN, 1) });
    expect(await pass({ model })).toBe('passed');
  });

  test('never passes as a stock page, whatever a person has confirmed', async () => {
    for (const name of ['nginx', 'ispmanager', 'cpanel, suspended', 'for sale']) {
      show({ [MAIN]: sitePage(1, MAIN), [DOMAIN]: STOCK[name]! });
      expect(await pass({ model, confirm_site: printed(STOCK[name]!) })).toMatch(/^transfer\.page_/);
    }
  });

  test('needs a person where it shows another site or is unclear', async () => {
    show({ [MAIN]: sitePage(1, MAIN), [DOMAIN]: sitePage(3, DOMAIN) });
    expect(await pass({ model })).toBe('transfer.site_different');
    show({ [MAIN]: sitePage(1, MAIN), [DOMAIN]: UNCLEAR['react shell']! });
    expect(await pass({ model })).toBe('transfer.site_unclear');
  });

  test('passes as the page that a person has confirmed, and as no other page', async () => {
    show({ [MAIN]: sitePage(1, MAIN), [DOMAIN]: sitePage(3, DOMAIN, 2) });
    expect(await pass({ model, confirm_site: printed(sitePage(3, DOMAIN)) })).toBe('passed');
    for (const seen of [sitePage(4, DOMAIN), UNCLEAR['vue shell']!, STOCK['nginx']!, '']) {
      expect(await pass({ model, confirm_site: printed(seen) })).toBe('transfer.site_changed');
    }
    expect(await pass({ model, confirm_site: 'true' })).toBe('transfer.site_changed');
    show({ [MAIN]: sitePage(1, MAIN), [DOMAIN]: UNCLEAR['react shell']! });
    expect(await pass({ model, confirm_site: printed(UNCLEAR['react shell']!) })).toBe('passed');
    expect(await pass({ model, confirm_site: printed(UNCLEAR['vue shell']!) })).toBe('transfer.site_changed');
  });

  test('is compared with the stored page where the source is down, and needs a person without one', async () => {
    show({ [DOMAIN]: sitePage(1, DOMAIN) });
    expect(await pass({ model })).toBe('transfer.site_unclear');
    kept = sitePage(1, MAIN);
    expect(await pass({ model })).toBe('passed');
  });

  test('is compared with the answer of the source’s server where the CDN does not answer', async () => {
    kept = null;
    answer = (host, _path) => ({ body: sitePage(1, host) });
    const config = world({
      connectTo: `${MAIN}::127.0.0.1:1,${ADDRESS}::127.0.0.1:${port},:443:127.0.0.1:${tlsPort},::127.0.0.1:${port}`,
    });
    expect(await pass({ model: { ...model, address: ADDRESS } }, config)).toBe('passed');
  });
});

describe('one look for a plan', () => {
  const MAIN = 'main.com';
  const SHOWN = { body: sitePage(1, DOMAIN) };
  const model: Model = { domain: MAIN, address: null, kept: async () => sitePage(1, MAIN) };
  const look = (given: Model | null, address: string | null = null, config = world()) => {
    useConfig(config);
    return lookOnce({ domain: DOMAIN, address }, given, new AbortController().signal);
  };

  test('reports the state of the certificate, and no likeness without a model', async () => {
    answer = () => SHOWN;
    expect(await look(null)).toEqual({ certificate: 'good', likeness: null, seen: null });
    certificate = 'foreign';
    expect(await look(null)).toEqual({ certificate: 'foreign', likeness: null, seen: null });
    certificate = 'none';
    expect(await look(null)).toEqual({ certificate: 'issuing', likeness: null, seen: null });
    expect((await look(null, null, world({ connectTo: '::127.0.0.1:1' }))).certificate).toBe('unknown');
  });

  test('compares the page of the reserve with the source, and is unclear where there is no page', async () => {
    answer = (host) => (host === MAIN ? { status: 503 } : SHOWN);
    expect((await look(model)).likeness).toMatchObject({ verdict: 'like' });
    answer = (host) => (host === MAIN ? { body: sitePage(3, MAIN) } : SHOWN);
    expect((await look(model)).likeness).toMatchObject({ verdict: 'different' });
    answer = () => ({ status: 503 });
    expect((await look(model)).likeness).toEqual({ verdict: 'unclear', why: 'no_answer', score: null });
  });

  test('describes the page at the reserve: its title in one line, its address and its print', async () => {
    const html = `<title>A &amp; B\n\u202e ${'x'.repeat(300)}</title><title>another</title><p>Text</p>`;
    answer = (host) => (host === MAIN ? { status: 503 } : { body: html });
    const { seen } = await look(model);
    expect(seen).toEqual({
      address: `https://${DOMAIN}/`,
      status: 200,
      title: `A & B ${'x'.repeat(194)}`,
      print: printed(html),
    });
    answer = () => ({ status: 503 });
    expect((await look(model)).seen).toBeNull();
  });

  test('reads at most 512 KiB of a page', async () => {
    const start = `${' '.repeat(512 * 1024 - '<title>A'.length)}<title>A`;
    answer = (host) => (host === MAIN ? { status: 503 } : { body: `${start}B</title>` });
    expect((await look(model)).seen?.title).toBe('A');
  });

  test('gives a page the same print, whichever of the two names ends in the other', async () => {
    const names = ['my-main.com', 'main.com'] as const;
    const html = `<title>${names.join(' ')}</title><p>${names.join(' is ')}</p>`;
    answer = () => ({ body: html });
    const { signal } = new AbortController();
    useConfig(world());
    const knownBy = async (reserve: string, main: string) =>
      (await lookOnce({ domain: reserve, address: null }, { ...model, domain: main }, signal)).seen?.print;
    expect(await knownBy(names[0], names[1])).toBe(printOf(html, names));
    expect(await knownBy(names[1], names[0])).toBe(printOf(html, names));
  });

  test('uses the answer of the server before that for visitors', async () => {
    const elsewhere = createServer((_request, response) => response.end(STOCK['nginx']));
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    answer = (host) => (host === MAIN ? { status: 503 } : SHOWN);
    const { port: own } = elsewhere.address() as AddressInfo;
    const config = world({
      connectTo: `${ADDRESS}:80:127.0.0.1:${own},${ADDRESS}:443:127.0.0.1:1,:443:127.0.0.1:${tlsPort},::127.0.0.1:${port}`,
    });
    expect(await look(model, ADDRESS, config)).toMatchObject({ certificate: 'good', likeness: { verdict: 'stock' } });
    await new Promise((resolve) => elsewhere.close(resolve));
  });
});
