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

/** Holds the next answer from an address, as it was when it was asked for; `came` resolves when the server has given it. */
export async function holdAnswer(page: Page, url: string): Promise<{ came: Promise<void>; release: () => void }> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let tell = (): void => undefined;
  const came = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      tell();
      await held;
      // The page may no longer want it.
      await route.fulfill({ response }).catch(() => undefined);
    },
    { times: 1 },
  );
  return { came, release };
}
