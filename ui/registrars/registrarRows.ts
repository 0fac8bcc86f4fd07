import { writeCsv } from '../../src/shared/csv.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { AtRegistrar, RegistrarDomains } from '../../src/shared/portfolio/registrar-domains.ts';

/** A domain of a registrar's list. `here`: the portfolio has it; `gone`: the registrar has it no more. */
export interface RegistrarRow extends AtRegistrar {
  id: number;
  unicode: string;
  gone: boolean;
}

/** Which of the rows are shown. */
export const VIEWS = ['all', 'new', 'gone'] as const;
export type View = (typeof VIEWS)[number];

const rowOf = (at: AtRegistrar, index: number, gone: boolean): RegistrarRow => ({
  ...at,
  id: index + 1,
  unicode: toUnicode(at.domain),
  gone,
});

/** Returns the rows by view: what the registrar has, what of it is not here, and what it has no more. */
export function rowsByView({
  domains,
  gone,
}: Pick<RegistrarDomains, 'domains' | 'gone'>): Record<View, RegistrarRow[]> {
  const all = domains.map((at, index) => rowOf(at, index, false));
  return {
    all,
    new: all.filter(({ here }) => !here),
    gone: gone.map((domain, index) => rowOf({ domain, expiredAt: null, here: true, suspect_date: null }, index, true)),
  };
}

const FIELDS = { domain: 'unicode', expiry: 'expiredAt' } as const;
const collator = new Intl.Collator('ru', { numeric: true });

/** Returns the rows whose name holds a text, in Unicode or punycode, sorted by `domain` or `expiry`; a row without a date comes last. */
export function narrowRows(rows: readonly RegistrarRow[], search: string, sort: string): RegistrarRow[] {
  const text = search.toLowerCase();
  const found = rows.filter(({ domain, unicode }) => domain.includes(text) || unicode.includes(text));
  const field = FIELDS[sort.replace('-', '') as keyof typeof FIELDS];
  if (field === undefined) return found;
  const sign = sort.startsWith('-') ? -1 : 1;
  return found.toSorted((one, other) => {
    const [a, b] = [one[field], other[field]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (field === 'unicode' ? collator.compare(a, b) : Number(a > b) - Number(a < b));
  });
}

/** Returns rows as CSV that a Russian Excel opens as a table, and that an import reads. */
export const csvOf = (rows: readonly RegistrarRow[]): string =>
  writeCsv(
    [
      ['domain_name', 'unicode_name', 'expired_at'],
      ...rows.map((row) => [row.domain, row.unicode, row.expiredAt ?? '']),
    ],
    { delimiter: ';', bom: true },
  );

/** Returns rows as a table that an import reads: names, expiry and the registrar. */
export const importOf = (rows: readonly RegistrarRow[], registrar: number): string =>
  writeCsv(
    [
      ['domain_name', 'expired_at', 'registrars_id'],
      ...rows.map(({ domain, expiredAt }) => [domain, expiredAt ?? '', String(registrar)]),
    ],
    { delimiter: ',', bom: false },
  );
