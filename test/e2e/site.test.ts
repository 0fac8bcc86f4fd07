// The site of a domain in its dialog: added with the domain, deployed to a real OpenSSH, previewed, changed.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translate, type Key, type Params } from '../../src/shared/i18n/index.ts';
import { settled as workDone } from '../api/calls.ts';
import { form, request, startServer, type TestServer } from '../support/server.ts';
import { findSshd, startSshd, WEB_ROOT, type Sshd } from '../support/sshd.ts';
import { zipOf } from '../support/zips.ts';
import { faultsOf } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';

const PAGE = {
  name: 'page.html',
  mimeType: 'text/html',
  buffer: Buffer.from('<title>Казино</title><body><p id="text">Привет</p></body>'),
};
const TEMPLATE = {
  'index.html':
    '<title>TITLE</title><link rel="stylesheet" href="/css/site.css"><script>document.title = "ran"</script><script src="/a.js"></script><h1>SITE_URL</h1>BODY<img src="/i.svg" alt="" onerror="document.title = 1">',
  'css/site.css': 'h1 { color: rgb(1, 2, 3) }',
  'a.js': 'document.body.textContent = "ran"',
  'i.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>',
};

// A page without scripts: the browser logs each blocked script, which counts as a fault of the page.
const QUIET = { 'index.html': '<title>TITLE</title><h1>SITE_URL</h1>BODY' };

const open = usePages();
const t = (key: Key, params?: Params): string => translate('ru', key, params);
let server: TestServer;

const button = (page: Page, key: Key) => page.getByRole('button', { name: t(key), exact: true });
const field = (page: Page, key: Key) => page.getByRole('textbox', { name: t(key), exact: true });
const file = (page: Page) => page.getByLabel(t('site_form.page'));
const template = (page: Page) => page.getByRole('combobox', { name: t('site_form.template') });
const theSwitch = (page: Page) => page.getByRole('checkbox', { name: t('site_form.deploy') });

const ask = async (call: string, body?: unknown) =>
  (await request(server, call, { token: server.admin.token, ...(body === undefined ? {} : { body }) })).body;
const newDomain = async (page: Page, name: string): Promise<void> => {
  await button(page, 'projects.add_domain').click();
  await field(page, 'domain_form.name').fill(name);
};

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

it('a new domain has no site fields without templates', async () => {
  const page = await open(`${server.url}/sites`, { token: server.admin.token, lang: 'ru' });
  await newDomain(page, 'no-templates.com');
  await settled(page);
  await expect.poll(() => theSwitch(page).count()).toBe(0);
  await expect.poll(() => page.getByRole('group', { name: t('site_form.hosting') }).count()).toBe(1);
});

describe('the dialog', () => {
  beforeAll(async () => {
    for (const [name, files] of [
      ['Promo', TEMPLATE],
      ['Second', QUIET],
    ] as const) {
      const zip = new File([new Uint8Array(zipOf(files))], 'promo.zip');
      await ask('POST /api/templates', form({ name, template_file: zip }));
    }
  });

  it.each(['light', 'dark'] as const)('has no faults with everything open, %s', async (theme) => {
    const page = await open(`${server.url}/sites`, { token: server.admin.token, lang: 'ru', theme });
    await newDomain(page, 'clean.com');
    await theSwitch(page).check({ force: true });
    await template(page).selectOption('Second');
    await page.getByText(t('site_form.placeholders')).click();
    await expect.poll(() => page.getByText(t('site_form.needs_page')).count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await button(page, 'site_form.preview').click();
    await page.locator('iframe').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('shows the site in a frame without scripts', async () => {
    const page = await open(`${server.url}/sites`, { token: server.admin.token, lang: 'ru' });
    await newDomain(page, 'shown.com');
    await theSwitch(page).check({ force: true });
    await template(page).selectOption('Promo');
    await file(page).setInputFiles(PAGE);
    // The log messages about blocked scripts are expected here.
    page.removeAllListeners('console');
    await button(page, 'site_form.preview').click();
    await expect.poll(() => page.locator('iframe').getAttribute('sandbox')).toBe('');
    const frame = page.frameLocator('iframe');
    await frame.locator('#text').waitFor();
    await expect.poll(() => frame.locator('h1').textContent()).toBe('shown.com');
    const shown = page.frames().find((one) => one.url().includes('/api/site_previews/'));
    const seen = await shown!.evaluate(() => ({
      title: document.title,
      color: getComputedStyle(document.querySelector('h1')!).color,
      image: document.querySelector('img')!.naturalWidth,
      origin: self.origin,
    }));
    expect(seen).toEqual({ title: 'Казино', color: 'rgb(1, 2, 3)', image: 9, origin: 'null' });
  });

  it('keeps the input if the site is refused, and shows the reason at the field', async () => {
    const page = await open(`${server.url}/sites`, {
      token: server.admin.token,
      lang: 'ru',
      expected: /422 \/api\/domains/,
    });
    await newDomain(page, 'kept.com');
    await theSwitch(page).check({ force: true });
    await template(page).selectOption('Promo');
    await file(page).setInputFiles({ ...PAGE, name: 'page.php' });
    await expect.poll(() => page.getByText(t('site.html_ending')).count()).toBe(1);
    await file(page).setInputFiles(PAGE);
    await expect.poll(() => page.getByText(t('site.html_ending')).count()).toBe(0);
    await expect.poll(() => page.getByText(t('site_form.takes_folder')).count()).toBe(1);
    await button(page, 'domain_form.add').click();
    await page.getByText(t('site.no_server_field')).first().waitFor();
    await expect.poll(() => field(page, 'domain_form.name').inputValue()).toBe('kept.com');
    await expect.poll(() => page.getByText('page.html').count()).toBe(1);
    await expect.poll(() => template(page).inputValue()).not.toBe('');
    expect((await ask('GET /api/domains')).data).toEqual([]);
  });

  it('sends no template without a page', async () => {
    const page = await open(`${server.url}/sites`, { token: server.admin.token, lang: 'ru' });
    await newDomain(page, 'without.com');
    await theSwitch(page).check({ force: true });
    await template(page).selectOption('Promo');
    const [sent] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/api/domains') && one.method() === 'POST'),
      button(page, 'domain_form.add').click(),
    ]);
    expect(sent.headers()['content-type']).toBe('application/json');
    expect(Object.keys(sent.postDataJSON() as object)).not.toEqual(expect.arrayContaining(['template_id']));
    await page.getByText(t('domain_form.added', { name: 'without.com' })).waitFor();
  });
});

const found = findSshd();
if ('missing' in found) console.log(`Skipped: a site deployed from the dialog: ${found.missing}`);

describe.skipIf('missing' in found)('a site', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd();
    const { user: ssh_user, secret: ssh_password } = sshd.login;
    await ask('POST /api/servers', { name: 'srv', ssh_host: `127.0.0.1:${sshd.port}`, ssh_user, ssh_password });
  });
  afterAll(() => sshd.close());
  const index = (name: string): string => readFileSync(sshd.local(`${WEB_ROOT}/${name}/index.html`), 'utf8');

  it('is deployed with its new domain, then with another page, another template, and once more', async () => {
    const page = await open(`${server.url}/sites`, { token: server.admin.token, lang: 'ru' });
    await newDomain(page, 'live.com');
    await field(page, 'domain_form.path').fill(sshd.remote(`${WEB_ROOT}/live.com`));
    await page.getByRole('combobox', { name: t('domain_form.server'), exact: true }).fill('srv');
    await page
      .getByRole('listbox', { name: t('domain_form.server') })
      .getByRole('option', { name: 'srv' })
      .click();
    await theSwitch(page).check({ force: true });
    await template(page).selectOption('Promo');
    await file(page).setInputFiles(PAGE);
    await button(page, 'domain_form.add').click();
    await page
      .getByText(t('site.deploying', { domain: 'live.com' }))
      .first()
      .waitFor();
    await workDone();
    expect(index('live.com')).toContain('<h1>live.com</h1><p id="text">Привет</p>');

    const [{ id }] = (await ask('GET /api/domains?search=live.com&limit=1')).data;
    await page.goto(`${server.url}/sites?domain=${id}`);
    await settled(page);
    await expect.poll(() => page.getByText(t('site_form.kept', { name: 'page.html' })).count()).toBe(1);
    await expect.poll(() => theSwitch(page).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await file(page).setInputFiles({ ...PAGE, name: 'next.html', buffer: Buffer.from('<p>Next</p>') });
    await button(page, 'domain_form.save').click();
    await page
      .getByText(t('site.deploying', { domain: 'live.com' }))
      .first()
      .waitFor();
    await workDone();
    expect(index('live.com')).toContain('<p>Next</p>');

    await page.goto(`${server.url}/sites?domain=${id}`);
    await settled(page);
    await template(page).selectOption('Second');
    await button(page, 'domain_form.save').click();
    await page
      .getByText(t('domain_form.saved', { name: 'live.com' }))
      .first()
      .waitFor();
    await workDone();
    expect((await ask(`GET /api/domains/${id}/site`)).data).toMatchObject({
      template_name: 'Second',
      html_name: 'next.html',
    });

    await page.goto(`${server.url}/sites?domain=${id}`);
    await settled(page);
    await button(page, 'site_form.deploy_again').click();
    await page
      .getByText(t('site.deploying', { domain: 'live.com' }))
      .first()
      .waitFor();
    await workDone();
    const { data } = await ask('GET /api/operations');
    expect(
      data.filter(({ kind, state }: { kind: string; state: string }) => kind === 'deploy' && state === 'succeeded')
        .length,
    ).toBeGreaterThanOrEqual(3);
  });
});
