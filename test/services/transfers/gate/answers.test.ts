// The answers that a reserve must give before visitors are sent there, and the addresses that the gate may ask.
import { describe, expect, test, vi } from 'vitest';
import { startAuthority } from '../../../../src/demo/sites/certificate.ts';
import { useConfig } from '../../../../src/lib/config.ts';
import { passGate, setGate } from '../../../../src/services/transfers/gate.ts';
import { seenAt } from '../../../../src/services/transfers/seen.ts';
import { startTrap } from '../../../support/world.ts';
import {
  ADDRESS,
  type Answer,
  asked,
  BARE,
  DOMAIN,
  good,
  MARKER,
  pass,
  port,
  reserve,
  tlsPort,
  useReserve,
  usual,
  world,
} from './world.ts';

useReserve();

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
  reserve.answer = good();
  expect(await pass()).toBe('passed');
  const pair = [`http://${DOMAIN}/`, `https://${DOMAIN}/`];
  expect(asked).toEqual([...pair, ...pair, ...pair]);
});

test('a bad answer in between restarts the count', async () => {
  reserve.answer = (_host, _path, count) => ({ status: count === 4 ? 500 : 200 });
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
  reserve.answer = (host) => (host === DOMAIN ? bad : {});
  expect(await pass()).toBe(what);
});

test('a status of 299 is a good answer', async () => {
  reserve.answer = () => ({ status: 299 });
  expect(await pass()).toBe('passed');
});

test('a redirect to its own www passes', async () => {
  reserve.answer = (host) => (host === DOMAIN ? { status: 301, location: `https://www.${DOMAIN}/` } : {});
  expect(await pass()).toBe('passed');
});

test('a release of ours passes only with its marker and the right id in it', async () => {
  reserve.answer = (_host, path) => (path === '/abc.txt' ? { body: 'the id\n' } : {});
  expect(await pass({ marker: MARKER })).toBe('passed');
  reserve.answer = good('<h1>parked</h1>');
  expect(await pass({ marker: MARKER })).toBe(`${ADDRESS}: ≠ abc.txt`);
});

test('a marker is read up to 1,000 bytes: a longer one never passes', async () => {
  const marker = (length: number) => ({ path: 'abc.txt', content: Buffer.alloc(length, 'x') });
  reserve.answer = (_host, path) => (path === '/abc.txt' ? { body: 'x'.repeat(1_001) } : {});
  expect(await pass({ marker: marker(1_000) })).toBe('passed');
  expect(await pass({ marker: marker(1_001) })).toBe(`${ADDRESS}: ≠ abc.txt`);
});

test('a server without a public address is asked only if allowed, and so is a redirect target', async () => {
  const trap = await startTrap();
  reserve.answer = good();
  const config = world({ allowPrivate: false, connectTo: '' });
  expect(await pass({ domain: '127.0.0.1', address: '127.0.0.1' }, config)).toBe('private_address');
  const detour = world({ allowPrivate: false, connectTo: `${DOMAIN}::127.0.0.1:${tlsPort}` });
  expect(await pass({ address: '127.0.0.1' }, detour)).toBe('passed');
  expect(asked).toHaveLength(3);
  reserve.answer = () => ({ status: 302, location: `http://127.0.0.1:${trap.port}/` });
  expect(await pass({ address: null }, detour)).toBe('→ 127.0.0.1');
  expect(trap.hits()).toBe(0);
  trap.close();
});

test('a server without a public address is not asked at one port where connectTo redirects only the other', async () => {
  reserve.answer = good();
  const connectTo = `:80:127.0.0.1:${port},${DOMAIN}:443:127.0.0.1:${tlsPort}`;
  expect(await pass({ address: '127.0.0.2' }, world({ allowPrivate: false, connectTo }))).toBe('passed');
  expect(asked).toEqual(Array(3).fill(`https://${DOMAIN}/`));
});

test('a server without a public address is asked if allowed, before the name', async () => {
  reserve.answer = good();
  const connectTo = `127.0.0.1:80::${port},127.0.0.1:443::${tlsPort},${DOMAIN}:443:127.0.0.1:${tlsPort}`;
  expect(await pass({ address: '127.0.0.1' }, world({ allowPrivate: true, connectTo }))).toBe('passed');
  expect(asked).toEqual(Array(6).fill(`https://${DOMAIN}/`));
});

test('a stop aborts the gate and says nothing about the site', async () => {
  const stop = new AbortController();
  reserve.answer = () => {
    stop.abort();
    return {};
  };
  setGate({ limitMs: 0 });
  useConfig(world());
  await expect(passGate(BARE, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

test('no request is sent before its time, nor after the limit', async () => {
  reserve.answer = () => ({ status: 503 });
  setGate({ everyMs: 200, limitMs: 100 });
  expect(await pass()).toBe(`${ADDRESS}: HTTP 503`);
  expect(asked).toHaveLength(1);
  setGate({ everyMs: 200, limitMs: 300 });
  expect(await pass()).toBe(`${ADDRESS}: HTTP 503`);
  expect(asked.length).toBeLessThanOrEqual(3);
});

test('the gate gives up in its time though the clock is set back meanwhile', async () => {
  reserve.answer = (_host, _path, count) => {
    if (count === 1) {
      vi.useFakeTimers({ toFake: ['Date'] });
      vi.setSystemTime(Date.now() - 3_600_000);
    }
    // A gate that goes on would pass in the end.
    return { status: count > 500 ? 200 : 503 };
  };
  expect(await pass().finally(() => vi.useRealTimers())).toBe(`${ADDRESS}: HTTP 503`);
});

test('seenAt describes the answer of a name in short', async () => {
  let status = 301;
  reserve.answer = (host) => (host === 'old.com' ? { status, location: `http://${DOMAIN}/x` } : {});
  const { signal } = new AbortController();
  const see = (domain: string, config = world()) => {
    useConfig(config);
    return seenAt(domain, DOMAIN, signal);
  };
  expect(await see('old.com')).toEqual({ seen: `301 → ${DOMAIN}: HTTP 200`, forwards: true, fault: null });
  // A temporary redirect (302) does not count as forwarding.
  status = 302;
  expect(await see('old.com')).toEqual({ seen: `302 → ${DOMAIN}: HTTP 200`, forwards: false, fault: null });
  expect(await see(DOMAIN)).toEqual({ seen: 'HTTP 200', forwards: false, fault: null });
  // Via its own www, both redirects have to be permanent.
  const byWww = (first: number, second: number) => {
    reserve.answer = (host) => {
      if (host === 'old.com') return { status: first, location: 'http://www.old.com/' };
      return host === 'www.old.com' ? { status: second, location: `http://${DOMAIN}/` } : {};
    };
    return see('old.com');
  };
  expect(await byWww(301, 301)).toEqual({ seen: `301 → ${DOMAIN}: HTTP 200`, forwards: true, fault: null });
  expect(await byWww(301, 302)).toEqual({ seen: `302 → ${DOMAIN}: HTTP 200`, forwards: false, fault: null });
  expect(await byWww(302, 301)).toEqual({ seen: `302 → 301 → ${DOMAIN}: HTTP 200`, forwards: false, fault: null });
  expect(await byWww(308, 301)).toEqual({ seen: `308 → 301 → ${DOMAIN}: HTTP 200`, forwards: true, fault: null });
  status = 301;
  reserve.answer = (host) => (host === 'old.com' ? { status, location: `http://${DOMAIN}/x` } : {});
  expect(await seenAt('old.com', 'third.com', signal)).toEqual({
    seen: `301 → ${DOMAIN}: HTTP 200`,
    forwards: false,
    fault: null,
  });
  reserve.answer = (host) => (host === 'old.com' ? { status, location: `https://www.${DOMAIN}/` } : { status: 404 });
  expect(await see('old.com')).toEqual({ seen: `301 → www.${DOMAIN}: HTTP 404`, forwards: true, fault: 'HTTP 404' });
  const away = world({ connectTo: '::127.0.0.1:1' });
  expect(await see(DOMAIN, away)).toEqual({ seen: 'connect_refused', forwards: false, fault: null });
  // A name forwards even where nobody answers at the target.
  reserve.answer = () => ({ status: 301, location: `https://${DOMAIN}/` });
  const down = world({ connectTo: `${DOMAIN}::127.0.0.1:1,:443:127.0.0.1:${tlsPort},::127.0.0.1:${port}` });
  expect(await see('old.com', down)).toEqual({
    seen: `301 → ${DOMAIN}: connect_refused`,
    forwards: true,
    fault: 'connect_refused',
  });
});

test('seenAt says what keeps visitors that are forwarded from the site', async () => {
  const from = (host: string) => host === 'old.com';
  const location = `https://${DOMAIN}/`;
  const see = async (atEnd: (path: string) => Answer) => {
    reserve.answer = (host, path) => (from(host) ? { status: 301, location } : atEnd(path));
    useConfig(world());
    const { forwards, fault } = await seenAt('old.com', DOMAIN, new AbortController().signal);
    return { forwards, fault };
  };
  expect(await see(() => ({}))).toEqual({ forwards: true, fault: null });
  expect(await see(() => ({ status: 299 }))).toEqual({ forwards: true, fault: null });
  expect(await see(() => ({ status: 300 }))).toEqual({ forwards: true, fault: 'HTTP 300' });
  expect(await see(() => ({ status: 500 }))).toEqual({ forwards: true, fault: 'HTTP 500' });
  expect(await see((path) => ({ status: 302, location: `${path}x` }))).toEqual({
    forwards: true,
    fault: 'too_many_redirects',
  });
  reserve.certificate = 'foreign';
  expect(await see(() => ({}))).toEqual({ forwards: true, fault: 'TLS: wrong_name' });
  reserve.certificate = 'none';
  // The old name is asked by http then.
  expect(await see(() => ({}))).toEqual({ forwards: true, fault: 'tls' });
});

describe('for a visitor', () => {
  test('a certificate of another name never passes, though the page is good', async () => {
    reserve.answer = good();
    reserve.certificate = 'foreign';
    expect(await pass()).toBe('TLS: wrong_name');
  });

  test('an untrusted certificate never passes', async () => {
    reserve.answer = good();
    expect(await pass({}, world({ ca: startAuthority().ca }))).toMatch(/^TLS: (untrusted|self_signed)$/);
  });

  test('a name without TLS or with a redirect to plain http never passes', async () => {
    reserve.answer = good();
    const plain = world({ connectTo: `::127.0.0.1:${port}` });
    expect(await pass({}, plain)).toBe('tls');
    reserve.answer = (_host, _path, count) => (count % 2 === 0 ? { status: 301, location: `http://${DOMAIN}/` } : {});
    expect(await pass({ address: null })).toMatch(/^→ http:|too_many_redirects/);
  });

  test('a certificate that is still being issued is waited for, and is refused in the end', async () => {
    reserve.answer = good();
    reserve.certificate = 'none';
    const waits = { key: 'transfer.waits_certificate', params: { domain: DOMAIN, until: '10:20' } };
    expect(await pass({}, world(), false)).toBe(JSON.stringify(waits));
    expect(await pass({}, world(), true)).toBe('transfer.certificate_late');
    expect(await pass()).toBe('transfer.certificate_late');
    reserve.certificate = 'good';
    expect(await pass({}, world(), false)).toBe('passed');
  });
});
