// The texts of acts that went well are those of the interface, whatever the message of the answer (spec/strings.tsv).
import { expect, it } from 'vitest';
import { withMessage } from '../support/acts.ts';
import { confirmed, dialog, pressed, submitted } from './steps.ts';
import { isShown, startFailures } from './world.ts';

const visit = startFailures();

it.each([
  [
    'Группа удалена',
    '/cloudflare-groups',
    '**/api/cloudflare_groups/*',
    [pressed('Удалить: Пустая'), confirmed('Удалить')],
  ],
  [
    'Данные успешно сохранены!',
    '/projects?project=1',
    '**/api/auto_buy',
    [pressed('Автопокупка'), submitted('Сохранить')],
  ],
] as const)('"%s" is shown on %s, whatever the answer says', async (text, screen, call, steps) => {
  const page = await visit(screen, withMessage(call, 'ответ сервера'));
  for (const step of steps) await step(page);
  await expect.poll(() => isShown(page, text)).toBe(true);
  expect(await isShown(page, 'ответ сервера')).toBe(false);
});

it('the settings of automatic buying are saved by an answer of 200 alone', async () => {
  const page = await visit('/projects?project=2');
  await page.route('**/api/auto_buy', (route) => route.fulfill({ status: 201, json: { message: 'ok' } }));
  for (const step of [pressed('Автопокупка'), submitted('Сохранить')]) await step(page);
  await expect.poll(() => isShown(page, 'Ошибка при сохранении данных')).toBe(true);
  expect(await dialog(page).count()).toBe(1);
});
