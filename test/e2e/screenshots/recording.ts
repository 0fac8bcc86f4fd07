import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { translate, type Key, type Language } from '../../../src/shared/i18n/index.ts';
import { DEMO_USERS } from '../../../src/shared/demo.ts';
import { isFinal } from '../../../src/shared/operations.ts';
import { request } from '../../support/server.ts';
import { openPage, settled } from '../support/page.ts';
import { serveDemo } from './demo.ts';

const SIZE = { width: 1280, height: 800 };
const SHOWN_WIDTH = 960;
// Time between two frames of what moves, and how long one that does not is shown.
const FRAME_MS = 350;
const READ_MS = 4_000;
const LAST_MS = 6_000;
// A blocked main domain of the demo with a reserve that is ready.
const MOVED = 'astro-mir.ru';

interface Frame {
  picture: Buffer;
  ms: number;
}

/** The frames of a page, as they are; one like that before it makes that one longer. */
class Recorder {
  readonly frames: Frame[] = [];
  constructor(readonly page: Page) {}

  async take(ms: number): Promise<void> {
    const picture = await this.page.screenshot();
    const last = this.frames.at(-1);
    if (last?.picture.equals(picture)) last.ms = Math.min(last.ms + ms, READ_MS);
    else this.frames.push({ picture, ms });
  }

  /** Takes frames until the work is done. */
  async until(work: Promise<unknown>): Promise<void> {
    const isOver = async (): Promise<boolean> =>
      (await Promise.race([work.then(() => true), this.page.waitForTimeout(FRAME_MS)])) === true;
    do await this.take(FRAME_MS);
    while (!(await isOver()));
  }

  /** Shows what will be pressed, and presses it. */
  async press(target: Locator): Promise<void> {
    await target.hover();
    await this.take(900);
    await target.click();
  }

  async save(file: string): Promise<void> {
    const frames = this.frames.map(({ picture }) => sharp(picture).resize({ width: SHOWN_WIDTH }).png().toBuffer());
    await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp({ quality: 62, effort: 5, loop: 0, delay: this.frames.map(({ ms }) => ms) })
      .toFile(file);
  }
}

/**
 * Records the demo's loop as an animated picture: from the sign-in to the blocked main domain, its plan, its move while it runs, and
 * its page afterwards.
 */
export async function record(browser: Browser, lang: Language, file: string): Promise<void> {
  const demo = await serveDemo(false);
  const page = await openPage(browser, demo.url, { lang, context: { viewport: SIZE } });
  const recorder = new Recorder(page);
  const t = (key: Key): string => translate(lang, key);
  const [{ login, password }] = DEMO_USERS;

  await page.goto(`${demo.url}/login`);
  await settled(page);
  await page.locator('input').first().fill(login);
  await page.locator('input[type=password]').fill(password);
  await recorder.take(2_000);
  await page.keyboard.press('Enter');
  const row = page.locator('.triage-row').filter({ has: page.getByRole('link', { name: MOVED, exact: true }) });
  await row.waitFor();
  await settled(page);
  await recorder.take(READ_MS + 1_000);

  await recorder.press(row.getByRole('button', { name: t('sites.transfer') }));
  const dialog = page.getByRole('dialog');
  const submit = dialog.locator('button[type=submit]:enabled');
  await submit.waitFor();
  await settled(page);
  await recorder.take(READ_MS + 1_000);
  await recorder.press(submit);
  await dialog.waitFor({ state: 'detached' });
  await recorder.take(600);

  const ask = async (call: string) => (await request(demo, `GET /api/${call}`, { token: demo.token })).body;
  const id: number = (await ask('operations?kind=transfer&limit=1')).data[0].id;
  const ended = async (): Promise<void> => {
    while (!isFinal((await ask(`operations/${id}`)).state)) await sleep(FRAME_MS);
  };
  await page.goto(`${demo.url}/transfers/${id}`);
  await settled(page);
  await recorder.until(ended());
  await settled(page);
  await recorder.take(READ_MS + 1_500);

  await page.goto(`${demo.url}/`);
  await settled(page);
  await recorder.take(READ_MS);
  await page.goto(`${demo.url}/sites/${MOVED}`);
  await settled(page);
  await recorder.take(LAST_MS);
  await recorder.save(file);
  await page.context().close();
  await demo.close();
}
