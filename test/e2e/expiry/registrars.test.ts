// The screen of the registrars, and their field in the form of a domain, against the fake of reg.ru.
import { describe, expect, it } from 'vitest';
import { LOGIN } from '../../support/registrars/shops.ts';
import { request } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { make, owner, registrar, server, shop, startRegistrars, visit } from './world.ts';

startRegistrars();

describe('/registrars', () => {
  it('shows type, name, login, password and actions in this order, and what is known beneath the name', async () => {
    const id = await registrar('Columns');
    await make('domains', { domain_name: `counted-${id}.ru`, registrars_id: id });
    const page = await visit('/registrars');
    const headers = await page.locator('thead th').allInnerTexts();
    expect(headers).toEqual(['type', 'name', 'login', 'password', 'actions']);
    const row = page.getByRole('row').filter({ hasText: 'Columns' });
    const text = await row.innerText();
    for (const word of ['reg.ru', 'Баланс 5', 'RUB', '1 домен', 'проверен', 'list of domains']) {
      expect(text).toContain(word);
    }
    expect(text).not.toContain('мало денег');
    expect(text).not.toContain(LOGIN.password);
    // The specification has the action in two languages: one is seen, the other one is its title.
    const action = row.getByRole('link', { name: 'list of domains: Columns' });
    expect(await action.getAttribute('title')).toBe('Список доменов');
    expect(await faultsOf(page, [390, 320, 1280])).toEqual([]);
    await row.getByRole('link', { name: '1 домен' }).click();
    await page.waitForURL(`**/sites?registrar=${id}`);
    await page.getByText(`counted-${id}.ru`).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
  });

  it('marks an account with little money, and says what is little', async () => {
    const [account] = shop.state.accounts;
    if (account) account.balance = 99_999;
    await registrar('Poor');
    const page = await visit('/registrars');
    const row = page.getByRole('row').filter({ hasText: 'Poor' });
    await row.getByText('мало денег').waitFor();
    expect(await row.innerText()).toMatch(/мало денег: меньше 1\s000,00\sRUB/);
  });

  it('locks the type on an edit, and says why a registrar is not saved', async () => {
    await registrar('Locked');
    const page = await visit('/registrars', owner, /^400 /);
    await page.getByRole('button', { name: 'Изменить: Locked' }).click();
    await expect.poll(() => page.getByLabel('type').isDisabled()).toBe(true);
    await page.getByText('Тип регистратора изменить нельзя').waitFor();
    await page.getByLabel('login/key').fill('');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Ошибка сохранения регистратора').waitFor();
    await page.getByText('Введите логин или ключ').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  });

  it('says that the list, and that a deletion, has failed', async () => {
    const id = await registrar('Held');
    await make('domains', { domain_name: `held-${id}.ru`, registrars_id: id });
    const page = await visit('/registrars', owner, /^(409|500) /);
    await page.getByRole('button', { name: 'Удалить: Held' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Не удалось удалить регистратора' });
    await toast.waitFor();
    await expect.poll(() => toast.innerText()).toContain(`held-${id}.ru`);
    await page.route('**/api/registrars', (route) => route.fulfill({ status: 500, json: {} }));
    await page.reload();
    await page.getByText('Не удалось загрузить список регистраторов').first().waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(0);
  });
});

it('the registrar of a domain is chosen in its form', async () => {
  const registrars_id = await registrar('Chosen');
  const id = await make('domains', { domain_name: 'chooses-registrar.ru', expired_at: '2027-02-13T21:00:00.000Z' });
  const page = await visit(`/sites?domain=${id}`);
  // Midnight in Moscow is the day that people know.
  expect(await page.getByLabel('Оплачен до').inputValue()).toBe('2027-02-14');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Регистратор' }).fill('chos');
  await page.getByRole('listbox').getByRole('option', { name: 'Chosen' }).click();
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body } = await request(server, `GET /api/domains/${id}`, { token: owner.token });
  expect(body.data).toMatchObject({ registrars_id, registrar_type: 'reg.ru', expired_at: '2027-02-13T21:00:00.000Z' });
});
