import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startServer, type TestServer } from '../support/server.ts';
import { settled, usePages } from './support/page.ts';

// page.ts fails every test whose page has alerts, errors or violations of the content policy.

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'-alert(1)-'",
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)"',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<body onload=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror=alert(1)>',
  '<iframe src=javascript:alert(1)></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href=javascript:alert(1)>link</a>',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
  '<style>@import "//example.com/x.css";</style>',
  '<link rel=stylesheet href=//example.com/x.css>',
  '<meta http-equiv=refresh content="0;url=//example.com">',
  '<base href=//example.com/>',
  '<form action=//example.com><button>x</button></form>',
  '<object data=//example.com/x.swf></object>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
];

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const [index, name] of PAYLOADS.entries()) {
    await request(server, 'POST /api/projects', { token: server.admin.token, body: { name } });
    const body = { domain_name: `site-${index}.example`, project_id: index + 1 };
    await request(server, 'POST /api/domains', { token: server.admin.token, body });
  }
});
afterAll(() => server.close());

const visit = (path: string) => open(server.url + path, { token: server.admin.token, expected: /^404 / });

/** Returns the payloads that are not on the page verbatim. */
async function missing(page: Page, selector: string): Promise<string[]> {
  const text = (await page.locator(selector).allTextContents()).join('\n');
  return PAYLOADS.filter((payload) => !text.includes(payload));
}

/** Counts elements that only a payload interpreted as markup can have created. */
const intruders = (page: Page): Promise<number> =>
  page.locator('#root :is(script, iframe, object, base, link, style, meta, video, math, animate, img)').count();

it('names of projects are shown verbatim in the list, in its filter and in the tables', async () => {
  const projects = await visit('/projects');
  expect(await missing(projects, 'main')).toEqual([]);
  const sites = await visit('/sites');
  expect(await missing(sites, 'select')).toEqual([]);
  const dashboard = await visit('/?list=all');
  const seen = await dashboard.locator('tbody').first().innerText();
  expect(PAYLOADS.filter((payload) => seen.includes(payload)).length).toBeGreaterThan(5);
  const found = await Promise.all([projects, sites, dashboard].map(intruders));
  expect(found).toEqual([0, 0, 0]);
});

it('the name of a project is shown verbatim in its heading and in its confirmation', async () => {
  const page = await visit('/projects?project=1');
  for (const [index, payload] of PAYLOADS.entries()) {
    await page.locator(`a[href$="?project=${index + 1}"]`).click();
    await page.locator('.project-title', { hasText: payload }).waitFor();
    await page.getByRole('button', { name: 'Удалить проект' }).click();
    const question = page.getByRole('alertdialog');
    await expect.poll(() => question.innerText()).toContain(payload);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
  }
  expect(await intruders(page)).toBe(0);
});

it('payloads are taken as plain text wherever domains are typed', async () => {
  const page = await visit('/check-site');
  await page.getByLabel('Домены').fill(PAYLOADS.join('\n'));
  await settled(page);
  await page.getByRole('button', { name: 'Проверить' }).click();
  await settled(page);
  expect(await intruders(page)).toBe(0);
  await page.goto(`${server.url}/import`);
  await page
    .getByLabel('Или вставьте список доменов либо таблицу')
    .fill(
      [
        'домен;проект',
        ...PAYLOADS.map((payload) => `"${payload.replaceAll('"', '""')}";"${payload.replaceAll('"', '""')}"`),
      ].join('\n'),
    );
  await page.getByRole('button', { name: 'Далее' }).click();
  await settled(page);
  await page.getByRole('button', { name: 'Далее' }).click();
  await settled(page);
  await expect.poll(() => page.locator('main').innerText()).toContain('<img src=x onerror=alert(1)>');
  expect(await intruders(page)).toBe(0);
});

it.each([
  '/%3Cscript%3Ealert(1)%3C/script%3E',
  '/sites?search=%3Cimg%20src=x%20onerror=alert(1)%3E',
  '/login?next=javascript:alert(1)',
])('a URL has no effect beyond its text: %s', async (path) => {
  const page = await visit(path);
  expect(await intruders(page)).toBe(0);
  expect(new URL(page.url()).origin).toBe(server.url);
});
