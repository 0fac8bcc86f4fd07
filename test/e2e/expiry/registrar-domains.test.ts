// The list of domains of a registrar, against the fake of reg.ru.
import { describe, expect, it } from 'vitest';
import { LOGIN } from '../../support/registrars/shops.ts';
import { request } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { holdAnswer } from '../support/hold.ts';
import { settled } from '../support/page.ts';
import { inDays, make, open, other, owner, registrar, sells, server, shop, startRegistrars, visit } from './world.ts';

startRegistrars();

describe('the list of domains of a registrar', () => {
  it('keeps the focus on the button that asks again while the registrar answers', async () => {
    const id = await registrar('Slow');
    sells([['slow.ru', inDays(40)]]);
    const page = await visit(`/registrars?domains=${id}`);
    const again = page.getByRole('button', { name: 'Спросить ещё раз' });
    await again.waitFor();
    await settled(page);
    const { came, release } = await holdAnswer(page, `**/api/registrars/${id}`);
    await again.focus();
    await page.keyboard.press('Enter');
    await came;
    await expect.poll(() => again.evaluate((button) => button === document.activeElement)).toBe(true);
    await expect.poll(() => again.getAttribute('aria-busy')).toBe('true');
    release();
    await expect.poll(() => again.getAttribute('aria-busy')).toBe('false');
    await expect.poll(() => again.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('is sorted, searched and told by day, by keyboard alone', async () => {
    const id = await registrar('Keyboard');
    sells([
      ['later.ru', inDays(100)],
      ['soon.ru', inDays(10)],
      ['over.ru', inDays(-3)],
      ['xn--80aswg.xn--p1ai', inDays(200)],
    ]);
    const page = await visit('/registrars');
    await page.getByRole('link', { name: 'list of domains: Keyboard' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Список доменов: Keyboard' });
    await dialog.getByText('over.ru').waitFor();
    const names = async () => (await dialog.locator('tbody .domain-name').allInnerTexts()).join(' ');
    await expect.poll(() => names()).toBe('over.ru soon.ru later.ru сайт.рф');
    await dialog.locator('.status-expired').filter({ hasText: 'истёк' }).waitFor();
    await expect.poll(() => dialog.locator('.status-expiring').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Expiry date' }).press('Enter');
    await expect.poll(() => names()).toBe('сайт.рф later.ru soon.ru over.ru');
    await dialog.getByRole('searchbox').fill('сайт');
    await dialog.getByText('later.ru').waitFor({ state: 'detached' });
    await expect.poll(() => names()).toBe('сайт.рф');
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    expect(id).toBeGreaterThan(0);
  });

  it('imports what is new into a project, with registrar and expiry; another user’s name is told and stays theirs', async () => {
    const id = await registrar('Imports');
    const project = await make('projects', { name: 'Target' });
    const [mine, theirs, fresh] = [`mine-${id}.ru`, `theirs-${id}.ru`, `fresh-${id}.ru`];
    await make('domains', { domain_name: mine, registrars_id: id });
    await make('domains', { domain_name: theirs }, other);
    await make('domains', { domain_name: `gone-${id}.ru`, registrars_id: id });
    const end = '2027-02-13T21:00:00.000Z';
    sells([mine, theirs, fresh].map((name): [string, string] => [name, end]));
    const page = await visit(`/registrars?domains=${id}`);
    await page.getByRole('button', { name: /^Есть здесь, у регистратора больше нет ?1$/ }).click();
    await page.getByText(`gone-${id}.ru`).waitFor();
    await page.getByRole('button', { name: 'Импортировать новые (2)' }).click();
    const form = page.getByRole('dialog', { name: /^Импортировать 2 домена/ });
    await form.getByRole('combobox', { name: 'Проект' }).fill('targ');
    await page.getByRole('listbox').getByRole('option', { name: 'Target' }).click();
    await form.getByRole('button', { name: 'Импортировать' }).click();
    const told = page.getByRole('dialog', { name: 'Импортировано: 1 домен' });
    await told.waitFor();
    await expect.poll(() => told.innerText()).toContain(theirs);
    const { body } = await request(server, `GET /api/domains?search=fresh-${id}`, { token: owner.token });
    expect(body.data).toMatchObject([
      { domain_name: fresh, registrars_id: id, registrar_type: 'reg.ru', project_id: project, expired_at: end },
    ]);
    const stays = await request(server, `GET /api/domains?search=theirs-${id}`, { token: other.token });
    expect(stays.body.data).toMatchObject([{ domain_name: theirs, registrars_id: null, expired_at: null }]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Импортировать новые (1)' }).waitFor();
  });

  it('of a registrar that answers with a page says that it could not be loaded, and why', async () => {
    const id = await registrar('Page');
    shop.faults.push({ kind: 'malformed', call: 'POST /service/get_list' });
    const page = await visit(`/registrars?domains=${id}`, owner, /^50\d /);
    const alert = page.getByRole('alert').filter({ hasText: 'Не удалось загрузить домены регистратора' });
    await alert.waitFor();
    expect(await alert.innerText()).not.toContain('<html');
    await alert.getByRole('button', { name: 'Повторить' }).click();
    await page.getByText('first.ru').waitFor();
  });

  it('of another user’s registrar holds one’s own domains alone', async () => {
    const id = await registrar('Foreign');
    const page = await visit(`/registrars?domains=${id}`, other);
    await page.getByText('Этот регистратор не ваш').waitFor();
    await page.getByText('У этого регистратора нет доменов').waitFor();
    expect(await page.getByText('first.ru').count()).toBe(0);
  });

  it('of 5,000 names renders only those in sight', async () => {
    const id = await registrar('Large');
    sells(Array.from({ length: 5_000 }, (_, index): [string, string] => [`name-${index}.ru`, inDays(index / 10)]));
    const page = await visit(`/registrars?domains=${id}`);
    await page.getByText('name-0.ru').waitFor();
    expect(await page.getByRole('button', { name: /Импортировать новые/ }).innerText()).toMatch(/5\s000/);
    await page.getByRole('searchbox').fill('name-4999');
    await page.getByText('name-4999.ru').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('name-0.ru').waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(60);
    await settled(page);
  });
});

it('a list that was told before an import does not offer again what that has added', async () => {
  const { token } = server.admin;
  const body = { name: 'Meanwhile', type: 'reg.ru', login: LOGIN.login, password: LOGIN.password };
  const { id } = (await request(server, 'POST /api/registrars', { token, body })).body.data;
  const page = await open(`${server.url}/registrars?domains=${id}`, { token });
  const begin = page.getByRole('button', { name: /^Импортировать новые/ });
  await begin.waitFor();
  const late = await holdAnswer(page, `**/api/registrars/${id}`);
  await page.getByRole('button', { name: 'Спросить ещё раз' }).click();
  await late.came;
  await begin.click();
  await page.getByRole('button', { name: 'Импортировать', exact: true }).click();
  await page.getByText(/^Импортировано: /).waitFor();
  late.release();
  await settled(page);
  expect(await begin.count()).toBe(0);
});
