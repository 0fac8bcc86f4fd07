// The steps by which acts that will fail are begun.
import type { Page } from 'playwright-core';
import { breakCalls } from './world.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
/** The dialog on top. */
export const dialog = (page: Page) => page.getByRole('dialog').last();

/** One thing that a person does on a page. */
type Step = (page: Page) => Promise<unknown>;
/** Presses the first button of that name. */
export const pressed =
  (name: string): Step =>
  (page) =>
    press(page, name);
/** Fills a field of the dialog. */
export const filled =
  (label: string, value: string): Step =>
  (page) =>
    dialog(page).getByLabel(label, { exact: true }).fill(value);
/** Presses the last button of the dialog whose name begins so. */
export const submitted =
  (name: string): Step =>
  (page) =>
    dialog(page)
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .last()
      .click();
/** Presses a button of the question. */
export const confirmed =
  (name: string): Step =>
  (page) =>
    page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

/** An act whose call fails: the text that it shows, the screen, the call and the steps. */
export type FailingAct = [text: string, screen: string, call: string, method: string, ...steps: Step[]];

/** Does an act whose call fails, and returns its page. */
export async function doAct(
  visit: (path: string) => Promise<Page>,
  [, screen, call, method, ...steps]: FailingAct,
): Promise<Page> {
  const page = await visit(screen);
  await breakCalls(page, call, method);
  for (const step of steps) await step(page);
  return page;
}
