// The texts of acts of projects, positions and the check of domains that failed are shown where the act was begun.
import { expect, it } from 'vitest';
import { confirmed, doAct, filled, pressed, submitted, type FailingAct } from './steps.ts';
import { isShown, REASON, startFailures } from './world.ts';

const visit = startFailures();

const ACTS: readonly FailingAct[] = [
  [
    'Не удалось создать проект',
    '/projects',
    '**/api/projects',
    'POST',
    pressed('Создать проект'),
    filled('Название проекта', 'Новый'),
    submitted('Сохранить'),
  ],
  [
    'Не удалось отредактировать проект',
    '/projects?project=1',
    '**/api/projects/*',
    'PUT',
    pressed('Изменить название'),
    filled('Название проекта', 'Новый'),
    submitted('Сохранить'),
  ],
  ['Не удалось удалить проект', '/projects?project=3', '**/api/projects/*', 'DELETE', pressed('Удалить проект')],
  [
    'Не удалось добавить домен',
    '/projects?project=1',
    '**/api/domains',
    'POST',
    pressed('Добавить домен'),
    filled('Домен', 'new.example'),
    submitted('Добавить'),
  ],
  ['Не удалось загрузить список серверов', '/projects?project=1', '**/api/servers**', 'GET', pressed('Добавить домен')],
  [
    'Не удалось загрузить аккаунты Cloudflare',
    '/projects?project=1',
    '**/api/cloudflare_accounts**',
    'GET',
    pressed('Добавить домен'),
  ],
  [
    'Не удалось удалить домен',
    '/projects?project=1',
    '**/api/domains/*',
    'DELETE',
    pressed('Ещё: vulkan-club.ru'),
    pressed('Удалить'),
  ],
  [
    'Не удалось загрузить детали домена',
    '/projects?project=1',
    '**/api/domains/*',
    'GET',
    pressed('Изменить: vulkan-club.ru'),
  ],
  [
    'Не удалось отредактировать домен',
    '/projects?project=1',
    '**/api/domains/*',
    'POST',
    pressed('Изменить: vulkan-club.ru'),
    filled('Папка сайта на сервере', '/var/www/other'),
    submitted('Сохранить'),
  ],
  [
    'Не удалось загрузить историю переездов домена',
    '/projects?project=1',
    '**/api/domain_transfer_history/*',
    'GET',
    pressed('Ещё: vulkan-club.ru'),
    pressed('История переездов'),
  ],
  ['Не удалось загрузить ключевые слова', '/position?project=1', '**/api/keywords/*', 'GET', pressed('Ключевые слова')],
  [
    'Не удалось удалить ключевое слово',
    '/position?project=1',
    '**/api/keywords/*',
    'DELETE',
    pressed('Ключевые слова'),
    pressed('Удалить ключевое слово первый'),
    confirmed('Удалить'),
  ],
  [
    'Произошла ошибка при запросе позиций',
    '/position?project=1',
    '**/api/fetch-positions',
    'POST',
    pressed('Обновить позиции'),
  ],
  ['Ошибка при загрузке данных', '/projects?project=1', '**/api/auto_buy/*', 'GET', pressed('Автопокупка')],
  [
    'Ошибка при сохранении данных',
    '/projects?project=1',
    '**/api/auto_buy',
    'POST',
    pressed('Автопокупка'),
    submitted('Сохранить'),
  ],
  [
    'Произошла ошибка при проверке доменов',
    '/check-site',
    '**/api/check_domains',
    'POST',
    (page) => page.getByRole('textbox').fill('a.ru'),
    (page) => page.locator('main form').getByRole('button').last().click(),
  ],
];

it.each(ACTS)('"%s" is shown on %s', async (text, screen, call, method, ...steps) => {
  const page = await doAct(visit, [text, screen, call, method, ...steps]);
  await expect.poll(() => isShown(page, text)).toBe(true);
  await expect.poll(() => isShown(page, REASON)).toBe(true);
});
