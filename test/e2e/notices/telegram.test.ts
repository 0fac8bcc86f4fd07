import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, PASSWORD } from '../../support/server.ts';
import { ANNA, ask, BORIS, codeIn, link, sentTo, startBotWorld, until, type BotWorld } from '../../bot/support.ts';
import { faultsOf } from '../support/audit.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let world: BotWorld;
beforeAll(async () => {
  world = await startBotWorld();
});
afterAll(() => world.close());

it('a chat is linked in the settings by the code that the bot shows, and another one in its place by the password', async () => {
  const { token } = await createPerson(world.server);
  const url = `${world.server.url}/settings?section=telegram`;
  const page = await open(url, { token, lang: 'en', expected: /^422 \/api\/telegram\/(?:confirm|unlink)$/ });
  await page.getByRole('button', { name: 'Link a chat' }).click();
  const way = await page.getByRole('link', { name: 'Open the bot' }).getAttribute('href');
  const start = /^https:\/\/t\.me\/seo_test_bot\?start=([\w-]{43})$/.exec(way ?? '')?.[1] ?? '';
  world.telegram.write(ANNA, `/start ${start}`);
  const shown = await until(() => sentTo(world.telegram, ANNA).find((message) => codeIn(message) !== ''));
  await page.getByText('Anna (@Anna_Seo)').waitFor();
  await page.getByLabel('Code from the chat').fill('AAAA-2222');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The code is wrong or too old').waitFor();
  await page.getByLabel('Code from the chat').fill(codeIn(shown));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'Unlink' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Link another chat' }).click();
  const other = (await page.getByRole('link', { name: 'Open the bot' }).getAttribute('href'))?.split('=')[1];
  world.telegram.write(BORIS, `/start ${other}`);
  const second = await until(() => sentTo(world.telegram, BORIS).find((message) => codeIn(message) !== ''));
  await page.getByLabel('Code from the chat').fill(codeIn(second));
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Boris (@boris)').first().waitFor();
  await until(() => sentTo(world.telegram, ANNA).find(({ text }) => text.includes('change the password')));
  await page.getByRole('button', { name: 'Unlink' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('wrong password');
  await dialog.getByRole('button', { name: 'Unlink' }).click();
  await dialog.getByText('Wrong current password').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('No chat is linked').waitFor();
});

it('the first step of Telegram is done by a linked chat, not by a name', async () => {
  const user = await createPerson(world.server);
  await ask(world, user, 'PUT /api/update_telegram', { telegram: 'anna_seo' });
  const page = await open(`${world.server.url}/?dialog=first_steps`, { token: user.token, lang: 'en' });
  const step = page.getByRole('listitem').filter({ hasText: 'Link a Telegram chat' });
  await step.waitFor();
  expect(await step.innerText()).not.toContain('done');
  await link(world, user, ANNA);
  await page.reload();
  await step.getByText('done', { exact: true }).waitFor();
});
