// Likeness of a reserve that was not deployed by us, at the gate and at the look for a plan.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { useConfig } from '../../../../src/lib/config.ts';
import { lookOnce, type Model } from '../../../../src/services/transfers/gate.ts';
import { printOf } from '../../../../src/services/sites/site-print.ts';
import { sitePage, STOCK, UNCLEAR } from '../../../support/page-corpus.ts';
import { ADDRESS, DOMAIN, pass, port, printed, reserve, tlsPort, useReserve, world } from './world.ts';

useReserve();

describe('a site that was not deployed by us', () => {
  const MAIN = 'main.com';
  let kept: string | null = null;
  const model = { domain: MAIN, address: null, kept: async () => kept };
  const show = (pages: Record<string, string>) => {
    reserve.answer = (host) => (host in pages ? { body: pages[host]! } : { status: 503 });
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

  test('needs a person where both show the same error or notice of maintenance, and passes as confirmed', async () => {
    for (const name of ['php, no database', 'ведутся работы']) {
      const html = UNCLEAR[name]!;
      show({ [MAIN]: html, [DOMAIN]: html });
      expect(await pass({ model })).toBe('transfer.site_unclear');
      expect(await pass({ model, confirm_site: printed(html) })).toBe('passed');
    }
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

  test.each([
    '<link rel="canonical" href="//casino.example">',
    '<link rel="canonical" href="\n https://casino.example/">',
    '<link rel="canonical nofollow" href="https://casino.example/">',
    '<link rel=" canonical " href="https://casino.example/">',
    '<base href="https://casino.example/"><link rel="canonical" href="/">',
    `<link rel="canonical" href="https://${MAIN}/"><link rel="canonical" href="https://casino.example/">`,
  ])('needs a person where its head has %j', async (head) => {
    show({ [MAIN]: sitePage(1, MAIN), [DOMAIN]: sitePage(1, DOMAIN).replace('<head>', `<head>${head}`) });
    expect(await pass({ model })).toBe('transfer.site_different');
  });

  test('is compared with the stored page where the source is down, and needs a person without one', async () => {
    show({ [DOMAIN]: sitePage(1, DOMAIN) });
    expect(await pass({ model })).toBe('transfer.site_unclear');
    kept = sitePage(1, MAIN);
    expect(await pass({ model })).toBe('passed');
  });

  test('is compared with the answer of the source’s server where the CDN does not answer', async () => {
    kept = null;
    reserve.answer = (host, _path) => ({ body: sitePage(1, host) });
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
    reserve.answer = () => SHOWN;
    expect(await look(null)).toEqual({ certificate: 'good', likeness: null, seen: null });
    reserve.certificate = 'foreign';
    expect(await look(null)).toEqual({ certificate: 'foreign', likeness: null, seen: null });
    reserve.certificate = 'none';
    expect(await look(null)).toEqual({ certificate: 'issuing', likeness: null, seen: null });
    expect((await look(null, null, world({ connectTo: '::127.0.0.1:1' }))).certificate).toBe('unknown');
  });

  test('compares the page of the reserve with the source, and is unclear where there is no page', async () => {
    reserve.answer = (host) => (host === MAIN ? { status: 503 } : SHOWN);
    expect((await look(model)).likeness).toMatchObject({ verdict: 'like' });
    reserve.answer = (host) => (host === MAIN ? { body: sitePage(3, MAIN) } : SHOWN);
    expect((await look(model)).likeness).toMatchObject({ verdict: 'different' });
    reserve.answer = () => ({ status: 503 });
    expect((await look(model)).likeness).toEqual({ verdict: 'unclear', why: 'no_answer', score: null });
  });

  test('describes the page at the reserve: its title in one line, its address and its print', async () => {
    const html = `<title>A &amp; B\n\u202e ${'x'.repeat(300)}</title><title>another</title><p>Text</p>`;
    reserve.answer = (host) => (host === MAIN ? { status: 503 } : { body: html });
    const { seen } = await look(model);
    expect(seen).toEqual({
      address: `https://${DOMAIN}/`,
      status: 200,
      title: `A & B ${'x'.repeat(194)}`,
      print: printed(html),
    });
    reserve.answer = () => ({ status: 503 });
    expect((await look(model)).seen).toBeNull();
  });

  test('reads at most 512 KiB of a page', async () => {
    const start = `${' '.repeat(512 * 1024 - '<title>A'.length)}<title>A`;
    reserve.answer = (host) => (host === MAIN ? { status: 503 } : { body: `${start}B</title>` });
    expect((await look(model)).seen?.title).toBe('A');
  });

  test('gives a page the same print, whichever of the two names ends in the other', async () => {
    const names = ['my-main.com', 'main.com'] as const;
    const html = `<title>${names.join(' ')}</title><p>${names.join(' is ')}</p>`;
    reserve.answer = () => ({ body: html });
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
    reserve.answer = (host) => (host === MAIN ? { status: 503 } : SHOWN);
    const { port: own } = elsewhere.address() as AddressInfo;
    const config = world({
      connectTo: `${ADDRESS}:80:127.0.0.1:${own},${ADDRESS}:443:127.0.0.1:1,:443:127.0.0.1:${tlsPort},::127.0.0.1:${port}`,
    });
    expect(await look(model, ADDRESS, config)).toMatchObject({ certificate: 'good', likeness: { verdict: 'stock' } });
    await new Promise((resolve) => elsewhere.close(resolve));
  });
});
