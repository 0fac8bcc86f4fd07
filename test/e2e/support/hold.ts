import type { Page } from 'playwright-core';

/** Holds the calls of a method to addresses like `url` until the returned function is called. */
export async function holdCalls(page: Page, method: string, url: string | RegExp): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    if (route.request().method() === method) await held;
    await route.fallback();
  });
  return release;
}
