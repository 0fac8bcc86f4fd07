import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EDITABLE_TYPES } from '../../src/shared/dns/dns.ts';
import { DOMAIN_STATUSES, webRoot } from '../../src/shared/portfolio/domains.ts';
import { en } from '../../src/shared/i18n/en.ts';
import { ru } from '../../src/shared/i18n/ru.ts';
import { ROLES } from '../../src/shared/access/users.ts';

// The texts that the specification gives: screen, kind, text, where.
const rows = readFileSync(new URL('../corpus/strings.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [screen = '', kind = '', text = ''] = line.split('\t');
    // A described text may be several: `Создать проект / Удалить проект`.
    // The prompt of the projects is to be shown with a capital letter, as its row says.
    if (text === 'select project') return [{ screen, kind, text: 'Select project' }];
    return (kind === 'D' ? text.split(/ [/·] /) : [text]).map((text) => ({ screen, kind, text }));
  });

/** Screens that come with a later change, and what they wait for. */
const LATER_SCREENS: Record<string, string> = {
  '/registrars': 'registrars',
  'auto-registration dialog': 'registrars',
  '/position': 'position tracking',
  keywords: 'position tracking',
  '/xmlriver': 'position tracking',
  '/arsenkin': 'position tracking',
  '/tables': 'the table browser',
};

/** Texts of screens that are here already, for a part that is not. A text that has come must leave this list. */
const LATER_TEXTS: Record<string, string[]> = {
  // A screen brings its menu item with it.
  nav: [
    'Position check',
    'Проверка позиций',
    'Registrars',
    'Регистраторы',
    'XMLRiver',
    'Arsenkin',
    'Tables',
    'Таблицы',
  ],
  // Moves
  // Site templates
  'domain dialog': ['SITE_URL', 'TITLE', 'DESCRIPTION', 'BODY'],
};

// What is shown as it is stored.
const raw = new Set<string>([...DOMAIN_STATUSES, ...ROLES, ...EDITABLE_TYPES, webRoot('{domain}')]);
const russian = new Set<string>(Object.values(ru));
const english = new Set<string>(Object.values(en));

// The menu is given in English and described in Russian: each has its catalogue.
const isHere = ({ screen, kind, text }: (typeof rows)[number]): boolean =>
  russian.has(text) || raw.has(text) || (screen.startsWith('nav') && kind === 'N' && english.has(text));

describe('the texts of the specification', () => {
  const screens = [...new Set(rows.map((row) => row.screen))];

  it.each(screens.filter((screen) => !(screen in LATER_SCREENS)))(
    '%s: stand in the catalogue, letter by letter',
    (screen) => {
      const missing = rows.filter((row) => row.screen === screen && !isHere(row)).map((row) => row.text);
      expect(missing.sort()).toEqual((LATER_TEXTS[screen] ?? []).toSorted());
    },
  );

  it.each(Object.keys(LATER_SCREENS))('%s: is still to come', (screen) => {
    expect(screens).toContain(screen);
    expect(rows.filter((row) => row.screen === screen).every(isHere)).toBe(false);
  });
});
