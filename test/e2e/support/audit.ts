import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { isWholeMatrix } from '../../support/vitest/turns.ts';
import { settled } from './page.ts';

const RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

// The same program as `axe.source` in less than half of its 1.5 MB, which each page would have to read.
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// A theme changes colours alone.
const CONTRAST: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] };

type Axed = { axe: { run: (context: Document | ElementContext, options: RunOptions) => Promise<AxeResults> } };

/** Layers over a page: an open dialog, and toasts. */
const OVERLAYS = '.bp6-portal';
/** A dialog that covers the page, which was examined before it was opened. */
const MODAL = `${OVERLAYS} :is([role='dialog'], [role='alertdialog'])`;

async function violations(page: Page): Promise<string[]> {
  // Once per document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(
    async ([rules, contrast, modal, overlays]) => {
      const { run } = (window as unknown as Axed).axe;
      const context = modal !== null && document.querySelector(modal) ? { include: [overlays] } : document;
      const here = await run(context, rules);
      const changeTheme = () => document.documentElement.classList.toggle('bp6-dark');
      // Else colours would change in steps.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('*, ::before, ::after { transition: none !important }');
      document.adoptedStyleSheets.push(sheet);
      changeTheme();
      const inOtherTheme = await run(context, contrast);
      changeTheme();
      document.adoptedStyleSheets.pop();
      return [
        { where: '', violations: here.violations },
        { where: ' in the other theme', violations: inOtherTheme.violations },
      ];
    },
    [RULES, CONTRAST, isWholeMatrix ? null : MODAL, OVERLAYS] as const,
  );
  return found.flatMap(({ where, violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id}${where}: ${target.join(' ')} ${failureSummary}`),
    ),
  );
}

/** Returns a fault if the page scrolls sideways at its current width. */
export async function sidewaysOf(page: Page): Promise<string[]> {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return sideways > 0 ? [`scrolls sideways by ${sideways} px`] : [];
}

/** Returns the faults that may depend on the width: scrolling sideways, not exactly one h1, no proper title. */
async function layoutFaults(page: Page): Promise<string[]> {
  const { headings, title } = await page.evaluate(() => ({
    headings: document.querySelectorAll('h1').length,
    title: document.title,
  }));
  return [
    ...(await sidewaysOf(page)),
    ...(headings === 1 ? [] : [`${headings} h1`]),
    ...(/^\S.* — SEO Admin$/.test(title) ? [] : [`title: ${title}`]),
  ];
}

/** Returns the faults of a page as it is at this moment, such as while it waits for an answer: by axe and of its layout. */
export const faultsNow = async (page: Page): Promise<string[]> => [
  ...(await layoutFaults(page)),
  ...(await violations(page)),
];

/** A desktop, a phone, and a desktop page zoomed to 400 % and to 200 %. */
export const WIDTHS = [1280, 390, 320, 640] as const;
// The same with the phone first, where axe runs, and the desktop last: each change between the two draws every list anew.
const PHONE_FIRST = [390, 320, 640, 1280] as const;

/** A language and a theme in which a page is examined, and the widths. */
export type Look = (typeof LOOKS)[number];
const LOOKS = [
  { lang: 'ru', theme: 'light', widths: WIDTHS },
  { lang: 'en', theme: 'dark', widths: PHONE_FIRST },
  { lang: 'ru', theme: 'dark', widths: PHONE_FIRST },
  { lang: 'en', theme: 'light', widths: WIDTHS },
] as const;

/**
 * Pairs each state of a screen with one look, the looks taking turns, or with every look with WHOLE_MATRIX=1. A test takes
 * the title, the look and the state.
 */
export const inLooks = <S>(
  states: readonly S[],
  nameOf: (state: S) => string,
): [title: string, look: Look, state: S][] =>
  states.flatMap((state, index) =>
    LOOKS.filter((_, turn) => isWholeMatrix || turn === index % LOOKS.length).map((look): [string, Look, S] => [
      `${nameOf(state)} (${look.lang}, ${look.theme})`,
      look,
      state,
    ]),
  );

/**
 * Returns the faults of the page by width: those of the layout at each, those found by axe (contrast in both themes) at the
 * first one, or at each
 * with WHOLE_MATRIX=1; where a dialog is open, by axe in the dialog alone but for the whole matrix. `find` replaces both.
 */
export async function faultsOf(
  page: Page,
  widths: readonly number[] = WIDTHS,
  find?: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    const found = find ? await find(page) : await layoutFaults(page);
    if (!find && (index === 0 || isWholeMatrix)) found.push(...(await violations(page)));
    faults.push(...found.map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}
