import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REGISTRAR_TYPES } from '../../src/shared/accounts/registrar-types.ts';
import { EDITABLE_TYPES } from '../../src/shared/dns/dns.ts';
import { PLACEHOLDERS } from '../../src/shared/sites/templates.ts';
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

// Values that are shown as they are stored.
const raw = new Set<string>([
  ...DOMAIN_STATUSES,
  ...ROLES,
  ...EDITABLE_TYPES,
  ...REGISTRAR_TYPES,
  webRoot('{domain}'),
  ...PLACEHOLDERS,
]);
const russian = new Set<string>(Object.values(ru));
const english = new Set<string>(Object.values(en));

// The menu has its texts in English and their descriptions in Russian, each in its own catalogue.
const isHere = ({ screen, kind, text }: (typeof rows)[number]): boolean =>
  russian.has(text) || raw.has(text) || (screen.startsWith('nav') && kind === 'N' && english.has(text));

describe('the texts of the specification', () => {
  const screens = [...new Set(rows.map((row) => row.screen))];

  it.each(screens)('of %s are in the catalogue, letter by letter', (screen) => {
    expect(rows.filter((row) => row.screen === screen && !isHere(row)).map((row) => row.text)).toEqual([]);
  });
});
