// In a contrast theme of the system, shadows and grounds are lost: what they tell must still be told.
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { useDemo } from '../support/demo.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
const demo = useDemo();

const visit = (path: string, colorScheme: 'light' | 'dark'): Promise<Page> =>
  open(demo.serving.url + path, {
    token: demo.token,
    theme: colorScheme,
    context: { colorScheme, forcedColors: 'active' },
  });

interface Picture {
  data: Buffer;
  width: number;
  height: number;
}

/** Takes a picture of a place on the page, so that the size of what stands there does not matter. */
async function pictureOf(page: Page, clip: { x: number; y: number; width: number; height: number }): Promise<Picture> {
  const { data, info } = await sharp(await page.screenshot({ clip, animations: 'disabled' }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const channel = (value: number): number => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
const luminance = (data: Buffer, at: number): number =>
  0.2126 * channel(data[at] ?? 0) + 0.7152 * channel(data[at + 1] ?? 0) + 0.0722 * channel(data[at + 2] ?? 0);

/** Counts the points whose colours in two pictures have a contrast of 3 : 1, which is what the guidelines ask of marks and states. */
function pointsApart(one: Picture, other: Picture): number {
  let count = 0;
  for (let at = 0; at < one.data.length; at += 3) {
    const [low, high] = [luminance(one.data, at), luminance(other.data, at)].sort((a, b) => a - b) as [number, number];
    if ((high + 0.05) / (low + 0.05) >= 3) count += 1;
  }
  return count;
}

/** How many points tell what a change did to a part of the page. */
async function told(part: Locator, change: (part: Locator) => Promise<unknown>): Promise<number> {
  const page = part.page();
  await part.scrollIntoViewIfNeeded();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const { x, y, width, height } = (await part.boundingBox()) as NonNullable<
    Awaited<ReturnType<Locator['boundingBox']>>
  >;
  const clip = { x: Math.max(0, x - 6), y: Math.max(0, y - 6), width: width + 12, height: height + 12 };
  const before = await pictureOf(page, clip);
  await change(part);
  return pointsApart(before, await pictureOf(page, clip));
}

const gone = (part: Locator) => part.evaluate((element) => ((element as HTMLElement).style.visibility = 'hidden'));
const set = (name: string, value: string) => (part: Locator) =>
  part.evaluate((element, [name, value]) => element.setAttribute(name, value), [name, value] as const);
const withoutClass = (name: string) => (part: Locator) =>
  part.evaluate((element, name) => element.classList.remove(name), name);
const focus = (part: Locator) => part.evaluate((element) => (element as HTMLElement).focus({ focusVisible: true }));
/** Makes its text take its room without being seen, so that only its edge and its ground are left to see. */
const wordless = (part: Locator) =>
  part.evaluate((element) => {
    for (const child of element.querySelectorAll<HTMLElement>('*')) child.style.visibility = 'hidden';
  });
const tick = (part: Locator) =>
  part.evaluate((element) => {
    const input = element.closest('label')?.querySelector('input');
    if (input) input.checked = !input.checked;
  });

// A tick is the least of them: some twenty points.
const LEAST = 12;

type Case = [
  what: string,
  part: (page: Page) => Locator,
  change: (part: Locator) => Promise<unknown>,
  before?: (part: Locator) => Promise<unknown>,
];

const checkbox = (page: Page) => page.locator('.bp6-checkbox .bp6-control-indicator').first();
const toggle = (page: Page) => page.locator('.bp6-switch .bp6-control-indicator').first();
const openTab = (page: Page) => page.locator('.bp6-tab[aria-selected="true"]').first();
const plainButton = (page: Page) => page.locator('.screen-actions button:not(.bp6-intent-primary)').first();

/** Looks by page, in their order: each leaves the page changed. */
const PAGES: Record<string, readonly Case[]> = {
  '/settings?section=notices': [
    ['a checked box and an empty one', checkbox, tick],
    ['a checkbox', checkbox, gone],
    ['a switch that is on and one that is off', toggle, tick],
    ['a switch', toggle, gone],
    ['the focus on the open tab', openTab, focus],
    ['the open tab and another', openTab, set('aria-selected', 'false')],
  ],
  '/sites': [
    [
      'a chip that is pressed and one that is not',
      (page) => page.locator('.chips [aria-pressed="true"]'),
      set('aria-pressed', 'false'),
    ],
    [
      'the first button of a page and another',
      (page) => page.locator('.screen-actions .bp6-intent-primary'),
      withoutClass('bp6-intent-primary'),
    ],
    ['the focus on a button', plainButton, focus],
    ['the focus on an icon button', (page) => page.locator('tbody .icon-actions button').first(), focus],
    ['the edge of a button', plainButton, gone, wordless],
    [
      'the edge and the arrow of a choice',
      (page) => page.locator('.filters .bp6-html-select').first(),
      gone,
      (part) => part.locator('select').evaluate((element) => (element.style.fontSize = '0')),
    ],
    ['a main domain and a reserve', (page) => page.locator('.role-main').first(), withoutClass('role-main')],
    [
      'found by a search engine and not known',
      (page) => page.locator('.engine-yes').first(),
      withoutClass('engine-yes'),
    ],
    [
      'the current group of the menu and another',
      (page) => page.locator('.navbar .bp6-button[aria-current="page"]').first(),
      (part) => part.evaluate((element) => element.removeAttribute('aria-current')),
    ],
  ],
  '/position?project=1': [
    [
      'a place of the first three and one that was not checked',
      (page) => page.locator('.position-legend .heat-1').first(),
      withoutClass('heat-1'),
    ],
    [
      'the bar of the places',
      (page) => page.locator('.position-band').first(),
      gone,
      (part) => part.evaluate((element) => ((element as HTMLElement).style.fontSize = '0')),
    ],
  ],
  '/kit': [
    [
      'a day without an answer and one with answers',
      (page) => page.locator('.availability svg').first(),
      (part) =>
        part.evaluate((svg) => {
          for (const bar of svg.querySelectorAll('.availability-down')) bar.remove();
        }),
    ],
    ['a line of figures', (page) => page.locator('.sparkline').first(), gone],
  ],
};

const SCHEMES = ['light', 'dark'] as const;

it.each(SCHEMES.flatMap((scheme) => Object.keys(PAGES).map((path): [typeof scheme, string] => [scheme, path])))(
  'in a %s contrast theme the states on %s are told apart',
  async (scheme, path) => {
    const page = await visit(path, scheme);
    const alike: string[] = [];
    for (const [what, part, change, before] of PAGES[path] ?? []) {
      const found = part(page);
      await found.waitFor();
      await before?.(found);
      if ((await told(found, change)) < LEAST) alike.push(what);
    }
    expect(alike).toEqual([]);
  },
);

it.each(SCHEMES)('in a %s contrast theme the chosen line of the palette is told', async (scheme) => {
  const page = await visit('/sites', scheme);
  await page.keyboard.press('Control+k');
  const line = page.locator('.palette-line.active');
  await line.waitFor();
  const points = await told(line, (part) =>
    part.evaluate((element) => {
      element.classList.remove('active');
      element.setAttribute('aria-selected', 'false');
    }),
  );
  expect(points).toBeGreaterThanOrEqual(LEAST);
});
