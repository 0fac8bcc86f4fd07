import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Creates a user with a project. */
async function personWithProject(): Promise<Person & { project: number }> {
  const person = await createPerson(server);
  const { body } = await request(server, 'POST /api/projects', { token: person.token, body: { name: 'Север' } });
  return { ...person, project: body.data.id };
}

it('keywords are pasted one a line; lines that are refused stay in the box with their reasons', async () => {
  const { token, project } = await personWithProject();
  await request(server, 'POST /api/keywords', { token, body: { keyword: 'Старый', project_id: project } });
  const page = await open(`${server.url}/position?project=${project}`, { token, expected: /^409 \/api\/keywords/ });
  await page.getByRole('button', { name: 'Ключевые слова', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const box = dialog.getByLabel('По одному в строке');
  await box.fill(' первый \n\nвторой\nПервый\nстарый');
  await dialog.getByText('1 повтор пропущен').waitFor();
  await dialog.getByRole('button', { name: 'Добавить', exact: true }).click();
  await dialog.getByText('Ключевые слова добавлены: 2. Не удалось добавить ключевые слова: 1 из 3').waitFor();
  await dialog.getByText('3 ключевых слова').first().waitFor();
  await settled(page);
  await expect.poll(() => box.inputValue()).toBe('старый');
  await dialog.getByRole('button', { name: 'Удалить ключевое слово второй' }).click();
  // Its positions were paid for: they are not deleted by one click.
  await page.getByRole('alertdialog').getByText('Вместе с ним удалятся все его позиции. Вернуть их нельзя.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
  await dialog.getByText('2 ключевых слова').first().waitFor();
  const { body } = await request(server, `GET /api/keywords/${project}`, { token });
  expect(body.map(({ value }: { value: string }) => value).toSorted()).toEqual(['Старый', 'первый'].toSorted());
});

it('keywords of an empty project are added to the last one, also where the list is read anew meanwhile', async () => {
  const { token, project } = await personWithProject();
  const page = await open(`${server.url}/position?project=${project}`, { token });
  let calls = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/keywords', async (route) => {
    calls += 1;
    if (calls === 2) await held;
    await route.fallback();
  });
  await page.getByLabel('По одному в строке').fill('первый\nвторой\nтретий');
  await page.getByRole('button', { name: 'Добавить', exact: true }).click();
  await expect.poll(() => calls).toBe(2);
  // A tab that was hidden reads all anew when it is seen again.
  const readAnew = page.waitForResponse((answer) => answer.url().includes('/api/project_positions/'));
  for (const state of ['hidden', 'visible']) {
    await page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  }
  await readAnew;
  release();
  const stored = async (): Promise<string[]> => {
    const { body } = await request(server, `GET /api/keywords/${project}`, { token });
    return body.map(({ value }: { value: string }) => value).toSorted();
  };
  await expect.poll(stored).toEqual(['второй', 'первый', 'третий']);
});

it('a keyword dialog that has lines left asks before it is closed', async () => {
  const { token, project } = await personWithProject();
  const page = await open(`${server.url}/position?project=${project}`, { token });
  await page.getByRole('button', { name: 'Ключевые слова', exact: true }).click();
  await page.getByRole('dialog').getByLabel('По одному в строке').fill('первый');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Остаться' }).click();
  await expect.poll(() => page.getByRole('dialog').getByLabel('По одному в строке').inputValue()).toBe('первый');
});

it('a frequency that is no number stays in its field with the reason, and the saved one stands', async () => {
  const { token, project } = await personWithProject();
  await request(server, 'POST /api/keywords', { token, body: { keyword: 'слово', project_id: project } });
  const listed = await request(server, `GET /api/keywords/${project}`, { token });
  const { id } = listed.body[0];
  await request(server, `PUT /api/keywords/${id}`, { token, body: { frequency: 700 } });
  const page = await open(`${server.url}/position?project=${project}`, { token });
  await page.getByRole('button', { name: 'Ключевые слова', exact: true }).click();
  const field = page.getByLabel('Частота в месяц: слово');
  await field.fill('много');
  await field.press('Enter');
  await page.getByRole('alert').getByText('Частота – целое число от 0').waitFor();
  const kept = await request(server, `GET /api/keywords/${project}`, { token });
  await expect.poll(() => field.inputValue()).toBe('много');
  await field.fill('1 200');
  await field.press('Enter');
  await expect
    .poll(async () => (await request(server, `GET /api/project_positions/${project}/yandex`, { token })).body.data)
    .toMatchObject({ keywords: [{ frequency: 1200 }] });
  expect(kept.body[0].frequency).toBe(700);
});

it('tells in the words of the specification that the positions could not be loaded', async () => {
  const { token, project } = await personWithProject();
  const page = await open(`${server.url}/position?project=${project}`, {
    token,
    expected: /^500 \/api\/project_positions/,
    prepare: (one) =>
      one.route('**/api/project_positions/**', (route) => route.fulfill({ status: 500, json: { error: 'x' } })),
  });
  const told = page.getByText('Произошла ошибка при загрузке данных');
  await told.waitFor();
  expect(await told.count()).toBe(1);
});

it('without an account leads to where one is added', async () => {
  const { token, project } = await personWithProject();
  const page = await open(`${server.url}/position?project=${project}`, { token });
  const link = page.getByRole('link', { name: 'Добавьте аккаунт XMLRiver' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe('/xmlriver');
});

it('the service that reads a project is chosen in its settings, and its accounts are led to', async () => {
  const { token, project } = await personWithProject();
  const page = await open(`${server.url}/position?project=${project}`, { token });
  await page.getByRole('button', { name: 'Настройки снятия' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Сервис').selectOption({ label: 'Arsenkin' });
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByText('Настройки позиций сохранены').waitFor();
  const link = page.getByRole('link', { name: 'Добавьте аккаунт Arsenkin' });
  await link.waitFor();
  await expect.poll(() => link.getAttribute('href')).toBe('/arsenkin');
  const { body } = await request(server, `GET /api/position_settings/${project}`, { token });
  expect(body.data.source).toBe('arsenkin');
});

it('the list of projects tells the keywords of each, and is walked through by keyboard', async () => {
  const { token, project } = await personWithProject();
  const { body } = await request(server, 'POST /api/projects', { token, body: { name: 'Юг' } });
  await request(server, 'POST /api/keywords', { token, body: { keyword: 'слово', project_id: body.data.id } });
  const page = await open(`${server.url}/position?project=${project}`, { token });
  const list = page.getByRole('navigation', { name: 'Список проектов' });
  await list.getByRole('link', { name: 'Север 0 ключевых слов' }).waitFor();
  await list.getByRole('searchbox').press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/position?project=${body.data.id}&engine=yandex`);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Юг');
  await page.getByRole('button', { name: 'Ключевые слова', exact: true }).click();
  await page.getByRole('dialog').getByLabel('По одному в строке').fill('ещё');
  await page.getByRole('dialog').getByRole('button', { name: 'Добавить', exact: true }).click();
  await page.getByText('Ключевые слова добавлены: 1').first().waitFor();
  await page.keyboard.press('Escape');
  await list.getByRole('link', { name: 'Юг 2 ключевых слова' }).waitFor();
});
