// Acts of a test on a page, as values that are put together.
import type { Page } from 'playwright-core';
import type { Key, Params } from '../../../src/shared/i18n/index.ts';

/** The page and its texts. */
export interface Scene {
  page: Page;
  t: (key: Key, params?: Params) => string;
}
/** An act on a page. */
export type Act = (scene: Scene) => Promise<unknown>;

/** Presses the first button of a text. */
export const press =
  (key: Key, params?: Params): Act =>
  ({ page, t }) =>
    page
      .getByRole('button', { name: t(key, params), exact: true })
      .first()
      .click();

/** Does one after the other. */
export const inTurn =
  (...acts: Act[]): Act =>
  async (scene) => {
    for (const act of acts) await act(scene);
  };

/** Fills a field. */
export const type =
  (label: Key, text: string): Act =>
  ({ page, t }) =>
    page.getByLabel(t(label), { exact: true }).fill(text);

/** Presses the button of an action on a row. */
export const onRow =
  (action: Key, name: string): Act =>
  ({ page, t }) =>
    page.getByRole('button', { name: t('sites.action_on', { action: t(action), name }) }).click();

/** Leaves the page as it was opened. */
export const nothing: Act = () => Promise.resolve();

/** Has the calls that change something at an address answer with another message than the server's. */
export const withMessage =
  (url: string, message = 'ok') =>
  (page: Page): Promise<unknown> =>
    page.route(url, async (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...(await response.json()), message } });
    });

/** Makes what the page defers late by a second, as on a busy processor, until it is loaded anew. */
export const delayDeferred = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const start = window.setTimeout.bind(window);
    const late = (work: TimerHandler, ms = 0, ...given: unknown[]): number => start(work, ms + 1_000, ...given);
    window.setTimeout = late as typeof window.setTimeout;
    // Messages are how React defers.
    const post = Reflect.get(MessagePort.prototype, 'postMessage') as (message: unknown) => void;
    MessagePort.prototype.postMessage = function (message: unknown) {
      start(() => post.call(this, message), 1_000);
    };
  });

/** Focuses a toast, which keeps it open: its five seconds are too short for an audit. */
export async function holdToast({ page, t }: Scene): Promise<void> {
  await page
    .locator('.toast')
    .getByRole('button', { name: t('ui.close') })
    .first()
    .focus();
}
