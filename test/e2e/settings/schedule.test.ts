// The schedule in the settings: jobs in each of their states, an edit with its preview, a run at once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { createPerson, request, startServer, type TestServer } from '../../support/server.ts';
import { faultsOf, sidewaysOf } from '../support/audit.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const failed = { key: 'backup.no_room', params: { folder: '/data/backups', needed: 900, free: 12 } };
  await transaction(async () => {
    for (const [name, owner, result, message] of [
      ['check', null, 'ok', null],
      ['backup', null, 'failed', JSON.stringify(failed)],
      ['expiry', null, 'skipped', '{"key":"schedule.nothing_due"}'],
      ['positions', 'another', null, null],
    ]) {
      await execute(
        `INSERT INTO schedule_runs (name, rule, next_at, tries, started_at, ended_at, lease_owner, lease_until, result, message)
         VALUES ($name, '', '2036-01-01T10:00:00.000Z', 0, '2026-01-01T10:00:00.000Z', $ended, $owner, $until, $result, $message)`,
        { name, owner, result, message, until: owner && '9', ended: owner ? null : '2026-01-01T10:00:07.000Z' },
      );
    }
  });
});
afterAll(() => server.close());

const SCHEDULE = '/settings?section=schedule';
const jobOf = async (name: string) => {
  const { body } = await request(server, 'GET /api/schedules', { token: server.admin.token });
  return body.data.find((job: { name: string }) => job.name === name);
};

it('each job tells when it runs and how it ended, and the screen says that nothing runs them', async () => {
  const page = await open(`${server.url}${SCHEDULE}`, { token: server.admin.token });
  await page.getByText('Расписание не выполняется').waitFor();
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await row('Резервная копия базы').getByText('Для копии мало места в /data/backups').waitFor();
  expect(await row('Резервная копия базы').innerText()).toMatch(/Ошибка/);
  expect(await row('Проверка доступности').innerText()).toMatch(
    /каждый час в :37[\s\S]*01\.01\.2036[\s\S]*7 с[\s\S]*Выполнено/,
  );
  expect(await row('Сроки доменов').innerText()).toMatch(/Пропущено[\s\S]*Ничего не пора проверять/);
  expect(await row('Позиции').innerText()).toMatch(/Выполняется/);
  expect(
    await row('Позиции')
      .getByRole('button', { name: /запустить сейчас/ })
      .isDisabled(),
  ).toBe(true);
  expect(await row('Индексация').innerText()).toMatch(/ещё не запускалось/);
  expect(await faultsOf(page)).toEqual([]);
});

it('an edit shows the next runs, refuses at the field, and is stored', async () => {
  const page = await open(`${server.url}${SCHEDULE}`, {
    token: server.admin.token,
    expected: /^400 \/api\/schedules/,
  });
  await page.getByRole('button', { name: /Изменить.*Сроки доменов/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Строка cron').fill('0 4 * * *');
  await dialog.getByLabel('Часовой пояс').fill('Asia/Tokyo');
  // 4:00 in Tokyo is 22:00 in Moscow, where the reader is; the jitter of this installation adds some minutes at most.
  await expect
    .poll(() => dialog.getByRole('listitem').allInnerTexts())
    .toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/22:0\d$/)));
  await dialog.getByLabel('Тихо с').fill('25:00');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await dialog.getByText('Время в виде 23:30').first().waitFor();
  await dialog.getByLabel('Тихо с').fill('');
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('каждый день в 04:00 (Asia/Tokyo)').waitFor();
  expect(await jobOf('expiry')).toMatchObject({ cron: '0 4 * * *', zone: 'Asia/Tokyo', quiet_from: null });
});

it('an edit leaves what somebody else has set meanwhile', async () => {
  const page = await open(`${server.url}${SCHEDULE}`, { token: server.admin.token });
  await page.getByRole('button', { name: /Изменить.*Индексация/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Тихо с').fill('23:00');
  await dialog.getByLabel('Тихо до').fill('07:00');
  await request(server, 'PUT /api/schedules/indexation', {
    token: server.admin.token,
    body: { cron: '5 5 * * *', jitter_seconds: 7 },
  });
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const theirs = { cron: '5 5 * * *', jitter_seconds: 7 };
  expect(await jobOf('indexation')).toMatchObject({ ...theirs, quiet_from: '23:00', quiet_until: '07:00' });
});

it('a job is switched off and run at once, also on a phone', async () => {
  const page = await open(`${server.url}${SCHEDULE}`, { token: server.admin.token, width: 390 });
  const card = page.getByRole('article', { name: 'Проверка доступности и списка' });
  await card.locator('.schedule-switch').click();
  await expect.poll(() => jobOf('check')).toMatchObject({ active: false });
  await page.getByRole('button', { name: 'Сроки доменов: запустить сейчас' }).click();
  await page.getByText('Запущено: Сроки доменов').waitFor();
  await expect
    .poll(() => jobOf('expiry'))
    .toMatchObject({ result: 'skipped', started_at: expect.stringMatching(/^20(?!26-01)/) });
  expect(await sidewaysOf(page)).toEqual([]);
});

it('a user has no such section', async () => {
  const { token } = await createPerson(server);
  const page = await open(`${server.url}${SCHEDULE}`, { token });
  await page.getByRole('tab', { name: 'Внешний вид' }).waitFor();
  expect(await page.getByRole('tab', { name: 'Расписание' }).count()).toBe(0);
});
