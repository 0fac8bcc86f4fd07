import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REGISTRAR_TYPES } from '../../src/shared/accounts/registrar-types.ts';
import { EDITABLE_TYPES } from '../../src/shared/dns/dns.ts';
import { DOMAIN_STATUSES, webRoot } from '../../src/shared/portfolio/domains.ts';
import { en } from '../../src/shared/i18n/en.ts';
import { ru } from '../../src/shared/i18n/ru.ts';
import { ROLES } from '../../src/shared/access/users.ts';

// The texts of the specification: screen, kind, text, place.
const rows = readFileSync(new URL('../corpus/strings.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [screen = '', kind = '', text = ''] = line.split('\t');
    // A described row may hold several texts: `Создать проект / Удалить проект`.
    // The row of the project prompt demands a capital letter.
    if (text === 'select project') return [{ screen, kind, text: 'Select project' }];
    return (kind === 'D' ? text.split(/ [/·] /) : [text]).map((text) => ({ screen, kind, text }));
  });

/** Screens that do not exist yet, with the missing feature. */
const LATER_SCREENS: Record<string, string> = {};

/** Missing texts of existing screens. A text that exists by now must be removed from this list. */
const LATER_TEXTS: Record<string, string[]> = {
  // Site templates
  'domain dialog': ['SITE_URL', 'TITLE', 'DESCRIPTION', 'BODY'],
};

// Values that are shown as they are stored.
const raw = new Set<string>([...DOMAIN_STATUSES, ...ROLES, ...EDITABLE_TYPES, ...REGISTRAR_TYPES, webRoot('{domain}')]);
const russian = new Set<string>(Object.values(ru));
const english = new Set<string>(Object.values(en));

// The menu has its texts in English and their descriptions in Russian, each in its own catalogue.
const isHere = ({ screen, kind, text }: (typeof rows)[number]): boolean =>
  russian.has(text) || raw.has(text) || (screen.startsWith('nav') && kind === 'N' && english.has(text));

describe('the texts of the specification', () => {
  const screens = [...new Set(rows.map((row) => row.screen))];

  it.each(screens.filter((screen) => !(screen in LATER_SCREENS)))(
    'of %s are in the catalogue, letter by letter',
    (screen) => {
      const missing = rows.filter((row) => row.screen === screen && !isHere(row)).map((row) => row.text);
      expect(missing.sort()).toEqual((LATER_TEXTS[screen] ?? []).toSorted());
    },
  );

  it.each(Object.keys(LATER_SCREENS))('of %s are not all in the catalogue yet', (screen) => {
    expect(screens).toContain(screen);
    expect(rows.filter((row) => row.screen === screen).every(isHere)).toBe(false);
  });
});
