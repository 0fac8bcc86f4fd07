import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';
import { seedPortfolio } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
let user: Person;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  user = await createPerson(server);
});
afterAll(() => server.close());

const FIELD = 'Найти домен, проект, действие или экран';

it('an action opens its dialog, a line is chosen by arrows, and what is not there is said', async () => {
  const page = await open(`${server.url}/dns`, { token: server.admin.token });
  await page.getByRole('button', { name: 'Поиск Ctrl K' }).click();
  const field = page.getByRole('combobox', { name: FIELD });
  const before = await field.boundingBox();
  await field.fill('добавить xmlriver');
  await page.getByRole('option', { name: 'Добавить аккаунт XMLRiver' }).waitFor();
  await field.fill('zzzz');
  await page.getByText('Ничего не найдено по „zzzz“').waitFor();
  expect(await field.boundingBox()).toEqual(before);
  await field.press('Enter');
  await field.fill('создать');
  await page.getByRole('option', { name: 'Создать проект…' }).waitFor();
  await settled(page);
  await field.press('ArrowDown');
  await field.press('ArrowUp');
  await field.press('Enter');
  await page.getByRole('dialog', { name: /проект/i }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(`${server.url}/projects*`);
  expect(page.url()).not.toContain('open=');
});

it('g and a key open a screen that the role may see, until single keys are switched off', async () => {
  const page = await open(`${server.url}/`, { token: user.token });
  const go = async (key: string): Promise<void> => {
    await page.keyboard.press('KeyG');
    await page.keyboard.press(key);
    await settled(page);
  };
  await go('KeyS');
  expect(new URL(page.url()).pathname).toBe('/sites');
  await go('KeyB');
  expect(new URL(page.url()).pathname).toBe('/sites');
  await go('KeyT');
  expect(new URL(page.url()).pathname).toBe('/templates');
  await expect
    .poll(() => page.evaluate(() => document.documentElement.className + document.body.className))
    .not.toContain('dark');
  await page.keyboard.press('Control+KeyK');
  await page.getByRole('combobox', { name: FIELD }).fill('табл');
  await page.getByText('Ничего не найдено по „табл“').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Slash');
  await page.getByText('Клавиши из одной буквы включены').click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await go('KeyS');
  expect(new URL(page.url()).pathname).toBe('/templates');
});

it('the list of keys opens at its top and leads to the first steps', async () => {
  const page = await open(`${server.url}/sites`, { token: user.token });
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.keyboard.press('Shift+Slash');
  const title = page.getByRole('dialog').getByRole('heading').first();
  await expect.poll(() => title.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
  await page.getByRole('dialog').getByRole('link', { name: 'Показать первые шаги' }).click();
  await page.getByRole('heading', { name: 'С чего начать' }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

// The last one: it signs the administrator out.
it('Ctrl+K finds a domain by the keyboard alone, remembers it, and forgets it at the sign-out', async () => {
  const page = await open(`${server.url}/check-site`, { token: server.admin.token });
  // In a field, and on a Russian layout: the key is the physical one.
  await page.getByRole('textbox').first().focus();
  await page.evaluate(() =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }),
    ),
  );
  const field = page.getByRole('combobox', { name: FIELD });
  await field.fill('vulkan-club');
  await page.getByRole('option', { name: 'vulkan-club.ru' }).waitFor();
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'vulkan-club.ru' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/sites/vulkan-club.ru');
  // While a dialog is open, no second one opens over it.
  await page.keyboard.press('Shift+Slash');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Control+KeyK');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+KeyK');
  await page.getByRole('group', { name: 'Недавние' }).getByRole('option', { name: 'vulkan-club.ru' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(/\/login/);
  expect(await page.evaluate(() => Object.values(localStorage).join(' '))).not.toContain('vulkan');
});
