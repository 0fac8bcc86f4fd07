// The dialogs of people, of the schedule and of a paste, in each of their states: without faults at every width.
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { translate } from '../../../src/shared/i18n/index.ts';
import { createPerson, PASSWORD, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { inTurn, onRow, press, type, type Act, type Scene } from '../support/acts.ts';
import { faultsOf, inLooks } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';
import { seedPortfolio } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
// Passkeys need a name, and localhost is one that needs no TLS.
let base: string;
beforeAll(async () => {
  server = await startServer();
  base = `http://localhost:${server.port}`;
  await seedPortfolio(server.admin.id);
  person = await createPerson(server);
  withApp = await createPerson(server);
  const { token } = withApp;
  const { body } = await request(server, 'POST /api/second_factor/totp', { token, body: { password: PASSWORD } });
  await request(server, 'POST /api/second_factor/totp/confirm', { token, body: { code: codeFor(body.secret) } });
});
afterAll(() => server.close());

let person: Person;
let withApp: Person;

const codeFor = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Presses a button of the open dialog. */
const inDialog =
  (key: Parameters<Scene['t']>[0]): Act =>
  ({ page, t }) =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: t(key), exact: true })
      .click();

const own = (password: string): Act =>
  inTurn(
    ({ page, t }) => page.getByRole('dialog').getByLabel(t('password.current')).fill(password),
    inDialog('factor.next'),
  );
const refused: Act = ({ page, t }) => page.getByText(t('password.wrong')).first().waitFor();

const showSecret: Act = inTurn(press('factor.add_app'), own(PASSWORD), ({ page, t }) =>
  page.getByRole('img', { name: t('factor.qr') }).waitFor(),
);

const showCodes: Act = inTurn(showSecret, async (scene) => {
  const secret = ((await scene.page.getByRole('dialog').locator('code').textContent()) ?? '').trim();
  await type('login.code', codeFor(secret))(scene);
  await inDialog('factor.confirm')(scene);
  await scene.page.getByText(scene.t('factor.codes_once')).waitFor();
});

const makeToken: Act = inTurn(
  press('tokens.new'),
  ({ page, t }) => page.getByRole('dialog').getByLabel(t('tokens.name')).fill('nightly'),
  inDialog('tokens.create'),
  ({ page, t }) => page.getByText(t('tokens.once')).waitFor(),
);

const change: Act = (scene) => onRow('people.change', person.login)(scene);
const confirmReset: Act = ({ page, t }) =>
  page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('people.reset_password') })
    .click();
const shownOnce: Act = ({ page }) => page.getByRole('dialog').locator('code').waitFor();

const firstStep: Act = async ({ page, t }) => {
  await page.getByLabel('Login', { exact: true }).fill(withApp.login);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.getByLabel(t('login.code')).waitFor();
};

/** Pastes two cells, of which one can't be written, at the first cell of the table. */
const pasteCells: Act = async ({ page }) => {
  await page.locator('td[data-place]').first().focus();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '77\tnew-name.ru\tmain\r\n78\t???\tnone');
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  await page.getByRole('dialog').waitFor();
};

const editJob: Act = ({ page, t }) =>
  page
    .getByRole('button', { name: t('sites.action_on', { action: t('schedule.edit'), name: t('schedule.job_expiry') }) })
    .click();

type Who = 'admin' | 'new' | 'nobody';
/** A name, who looks, a path to open, and an act there. */
type State = [name: string, who: Who, path: string, act: Act];

const SECURITY = '/settings?section=security';
const STATES: readonly State[] = [
  ['an app, asking for the password', 'new', SECURITY, press('factor.add_app')],
  ['an app, refused', 'new', SECURITY, inTurn(press('factor.add_app'), own('wrong password'), refused)],
  ['an app, its QR code', 'new', SECURITY, showSecret],
  ['recovery codes', 'new', SECURITY, showCodes],
  ['new passkey', 'new', SECURITY, press('factor.add_passkey')],
  ['a password, refused', 'new', SECURITY, press('password.change')],
  ['new token', 'new', '/settings?section=tokens', press('tokens.new')],
  ['new token, refused', 'new', '/settings?section=tokens', inTurn(press('tokens.new'), inDialog('tokens.create'))],
  ['a token, shown once', 'new', '/settings?section=tokens', makeToken],
  ['a user', 'admin', '/settings?section=users', change],
  ['resetting a password', 'admin', '/settings?section=users', inTurn(change, inDialog('people.reset_password'))],
  [
    'a password that was reset',
    'admin',
    '/settings?section=users',
    inTurn(change, inDialog('people.reset_password'), confirmReset, shownOnce),
  ],
  ['a job', 'admin', '/settings?section=schedule', editJob],
  [
    'a job, refused',
    'admin',
    '/settings?section=schedule',
    inTurn(editJob, type('schedule.quiet_from', '25:00'), inDialog('people.save')),
  ],
  ['the second step of the sign-in', 'nobody', '/login', firstStep],
  ['a recovery code at the sign-in', 'nobody', '/login', inTurn(firstStep, press('login.use_recovery'))],
  [
    'the second step, refused',
    'nobody',
    '/login',
    inTurn(
      firstStep,
      type('login.code', '000000'),
      ({ page }) => page.keyboard.press('Enter'),
      ({ page, t }) => page.getByText(t('factor.wrong_code')).waitFor(),
    ),
  ],
  ['a paste', 'admin', '/tables?table=domains', pasteCells],
];

/** Returns a token of the administrator, or of a user whom this state has for itself. */
async function tokenOf(who: Who): Promise<string | undefined> {
  if (who === 'nobody') return undefined;
  return who === 'admin' ? server.admin.token : (await createPerson(server)).token;
}

const EXPECTED =
  /^(401 \/api\/login|4\d\d \/api\/(second_factor\/totp|tokens|schedules\/expiry(\/preview)?|password))$/;

it.each(inLooks(STATES, ([name]) => name))('%s has no faults', async (_title, look, [, who, path, act]) => {
  const { lang, theme } = look;
  const token = await tokenOf(who);
  const page = await open(base + path, { lang, theme, expected: EXPECTED, ...(token !== undefined && { token }) });
  await act({ page, t: (key, params) => translate(lang, key, params) });
  await settled(page);
  expect(await faultsOf(page, look.widths)).toEqual([]);
});
