import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { settled, usePages } from './support/page.ts';

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
  expect(await box.inputValue()).toBe('старый');
  await dialog.getByRole('button', { name: 'Удалить ключевое слово второй' }).click();
  await dialog.getByText('2 ключевых слова').first().waitFor();
  const { body } = await request(server, `GET /api/keywords/${project}`, { token });
  expect(body.map(({ value }: { value: string }) => value).toSorted()).toEqual(['Старый', 'первый'].toSorted());
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
  expect(await link.getAttribute('href')).toBe('/arsenkin');
  const { body } = await request(server, `GET /api/position_settings/${project}`, { token });
  expect(body.data.source).toBe('arsenkin');
});
