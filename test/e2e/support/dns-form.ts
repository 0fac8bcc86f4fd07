// The form that points a domain to a server, on /dns.
import type { Locator, Page } from 'playwright-core';
import { SERVER_IP } from '../../support/cdn.ts';

/** The field of the domain. */
export const domainField = (page: Page) => page.getByRole('combobox', { name: 'Домен' });
/** The names that the field suggests. */
export const suggestions = (page: Page) => page.getByRole('listbox').getByRole('option');
/** Asks for the plan. */
export const submit = (page: Page) => page.getByRole('button', { name: 'Сменить DNS' }).click();

/** Fills the form with the first account and the server `srv`. */
export async function fill(page: Page, domain: string): Promise<void> {
  await page.getByLabel('Аккаунт Cloudflare').selectOption({ index: 1 });
  await domainField(page).fill(domain);
  await domainField(page).press('Tab');
  await page.getByLabel('Сервер', { exact: true }).selectOption(`srv — ${SERVER_IP}`);
}

/** Fills the form and waits for the plan. */
export async function planOf(page: Page, domain: string) {
  await fill(page, domain);
  await submit(page);
  const plan = page.getByRole('dialog', { name: `Что изменится: ${domain}` });
  await plan.waitFor();
  return plan;
}

/** The text under a field. */
export const describedBy = (field: Locator): Promise<string> =>
  field.evaluate((one) =>
    (one.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.innerText.trim() ?? '')
      .join(' '),
  );
