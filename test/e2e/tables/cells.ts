// The cells of the table editor on a page.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The cell of a column. */
export async function cell(page: Page, column: string, row = 0): Promise<Locator> {
  const place = async (): Promise<number> =>
    (await page.getByRole('columnheader').allInnerTexts()).findIndex((text) => text.trim() === column);
  await expect.poll(place).toBeGreaterThanOrEqual(0);
  return page.locator(`[data-place="${row}:${await place()}"]`);
}
/** The field in the place of a cell. */
export const field = (page: Page, column: string): Locator =>
  page.locator('.cell-editor').getByLabel(column, { exact: true });

/** Pastes as a spreadsheet would, at the focus. */
export const paste = (page: Page, text: string): Promise<unknown> =>
  page.evaluate((plain) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', plain);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    return document.activeElement?.dispatchEvent(event);
  }, text);
