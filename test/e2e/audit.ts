import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { settled } from './page.ts';

const RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

type Axed = { axe: { run: (options: RunOptions) => Promise<AxeResults> } };

async function violations(page: Page): Promise<string[]> {
  // Half a megabyte: once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate((rules) => (window as unknown as Axed).axe.run(rules), RULES);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}

async function faultsNow(page: Page): Promise<string[]> {
  const { sideways, headings, title } = await page.evaluate(() => ({
    sideways: document.documentElement.scrollWidth - window.innerWidth,
    headings: document.querySelectorAll('h1').length,
    title: document.title,
  }));
  return [
    ...(sideways > 0 ? [`scrolls sideways by ${sideways} px`] : []),
    ...(headings === 1 ? [] : [`${headings} h1`]),
    ...(/^\S.* — SEO Admin$/.test(title) ? [] : [`title: ${title}`]),
    ...(await violations(page)),
  ];
}

/**
 * What is wrong with the page as it stands, wide, on a phone and at the width of a page zoomed to 400 %: what axe says,
 * scrolling sideways, not one h1, no proper title.
 */
export async function faultsOf(page: Page, widths: readonly number[] = [1280, 390, 320]): Promise<string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    faults.push(...(await faultsNow(page)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}
