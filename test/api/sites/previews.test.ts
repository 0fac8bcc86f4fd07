// Previews of sites.
import { zipSync, strToU8 } from 'fflate';
import { describe, expect, test } from 'vitest';
import { createPerson, form, request, type Answer } from '../../support/server.ts';
import { newName } from '../calls.ts';
import { ask, html, PAGE, server, template, useSites } from './world.ts';

useSites();

describe('a preview', () => {
  const POLICY =
    "sandbox; default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'self'";
  const preview = async (fields: Record<string, string | File> = {}): Promise<Answer> =>
    ask('POST /api/site_previews', form({ template_id: String(template), domain_name: 'shown.example', ...fields }));
  const get = (path: string): Promise<Answer> => request(server, `GET ${path}`);

  test('is shown without a token, in a sandbox without scripts', async () => {
    const { url } = (await preview({ html_file: html() })).body;
    expect(url).toMatch(/^\/api\/site_previews\/[\w-]{22}\/index\.html$/);
    const page = await get(url);
    expect(page.text).toContain('<h1>shown.example one</h1><p>Привет</p>');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(page.headers['content-disposition']).toBeUndefined();
    const style = await get(url.replace('index.html', 'css/main.css'));
    expect([style.status, style.headers['content-type'], style.headers['content-security-policy']]).toEqual([
      200,
      'text/css; charset=utf-8',
      POLICY,
    ]);
  });

  test('uses the stored page of a domain, or none', async () => {
    const made = await ask(
      'POST /api/domains',
      form({ domain_name: newName(), template_id: String(template), html_file: html('<p>Kept</p>') }),
    );
    const domain_id = String(made.body.data.id);
    expect((await get((await preview({ domain_id })).body.url)).text).toContain('<p>Kept</p>');
    expect((await get((await preview()).body.url)).text).toContain('one</h1>');
    const other = await createPerson(server);
    expect(
      (await ask('POST /api/site_previews', { template_id: template, domain_name: 'a.example', domain_id }, other))
        .status,
    ).toBe(422);
  });

  test('answers 404 or 400 for every path that is not part of it', async () => {
    const { url } = (await preview()).body;
    const base = url.replace('index.html', '');
    for (const path of [
      'nothing.html',
      '../',
      '..%2f..%2fetc/passwd',
      '%2e%2e/x',
      'css',
      'css/',
      '%00',
      'index.html%00',
      '__proto__',
      'a//b',
    ]) {
      expect([path, (await get(base + path)).status]).toEqual([
        path,
        expect.toSatisfy((status: number) => status === 404 || status === 400),
      ]);
    }
    const token = url.split('/')[3];
    for (const wrong of [token.slice(1), `${token}x`, token.toUpperCase(), 'constructor']) {
      expect((await get(`/api/site_previews/${wrong}/index.html`)).status).toBe(404);
    }
  });

  test('rewrites paths from the root, but no URLs of other hosts', async () => {
    const zip = zipSync({
      'index.html': strToU8(
        `<link href="/a.css"><img src='/i.png'><a href=/x>x</a><img src="https://SITE_URL/i.png"><img src="//cdn.example/i.png"><p style="background:url('/b.png')">`,
      ),
      'a.css': strToU8('@import "/b.css"; a { background: url(/i.png) }'),
    });
    const made = await ask('POST /api/templates', form({ name: newName(), template_file: new File([zip], 'a.zip') }));
    const { url } = (await preview({ template_id: String(made.body.data.id) })).body;
    const base = url.replace('index.html', '');
    expect((await get(url)).text).toBe(
      `<link href="${base}a.css"><img src='${base}i.png'><a href=${base}x>x</a><img src="${base}i.png"><img src="//cdn.example/i.png"><p style="background:url('${base}b.png')">`,
    );
    expect((await get(`${base}a.css`)).text).toBe(`@import "${base}b.css"; a { background: url(${base}i.png) }`);
  });

  test('is dropped when there are twenty newer ones', async () => {
    const { url } = (await preview()).body;
    const more = [];
    for (let count = 0; count < 20; count += 1) more.push((await preview()).body.url);
    expect((await get(url)).status).toBe(404);
    expect(await Promise.all(more.map(async (one) => (await get(one)).status))).toEqual(more.map(() => 200));
  });

  test('is refused for a file that is no page, with its field', async () => {
    expect((await preview({ html_file: html(PAGE, 'a.txt') })).body.fields).toEqual({ html_file: expect.any(String) });
    expect((await preview({ template_id: '999999' })).status).toBe(422);
  });
});
