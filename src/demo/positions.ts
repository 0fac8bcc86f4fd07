import { deflateRawSync } from 'node:zlib';
import { ENGINES } from '../shared/engines.ts';
import { normalizeKeyword } from '../shared/positions/keywords.ts';
import { dayOf, placesIn } from '../shared/positions/places.ts';
import { defaultSettings } from '../shared/positions/settings.ts';
import { DAY_MS } from '../shared/time.ts';
import { blockedFor, daysFrom, MOVES, type domainAt } from './domains.ts';
import type { ArsenkinState } from './search/arsenkin.ts';
import { resultsOf, type Web, type WebHost } from './search/web.ts';
import type { XmlriverState } from './search/xmlriver.ts';
import { PROJECTS, secretOf } from './team.ts';

type Domain = ReturnType<typeof domainAt>;
type Row = Record<string, unknown>;

/** Keywords of the projects, in their order. */
const KEYWORDS = [
  ['гороскоп на сегодня', 'гороскоп на завтра', 'гороскоп на неделю', 'совместимость знаков', 'натальная карта'],
  [
    'когда сажать рассаду',
    'лунный календарь садовода',
    'теплица своими руками',
    'чем подкормить томаты',
    'полив огурцов',
  ],
  ['рецепт борща', 'пирог с яблоками', 'что приготовить на ужин', 'блины на молоке', 'салат на праздник'],
  ['куда поехать в отпуск', 'маршрут по алтаю', 'золотое кольцо на машине', 'отдых на байкале', 'виза самостоятельно'],
  [
    'ремонт ванной под ключ',
    'как положить ламинат',
    'штукатурка стен цена',
    'тёплый пол своими руками',
    'замена проводки',
  ],
  ['вязание крючком для начинающих', 'схема шарфа', 'вышивка крестом', 'куклы своими руками', 'валяние из шерсти'],
].map((own, project) => own.concat(own.map((keyword) => `${keyword} ${['2026', 'отзывы', 'видео'][project % 3]}`)));

const DAYS = 90;
const DEPTH = 50;
const REGIONS = { yandex: '213', google: '2643' } as const;
// Lists of results are kept for these days, a day of one project was never read, and so many mains of a project compete.
const DAYS_WITH_LISTS = 30;
/** The day on which a project was not read. */
export const MISSED = { project: 2, ago: 17 };
const COMPETING = 6;

/** The day of a move, as the history of transfers has it. */
const movedOn = (now: Date, ago: number | undefined): number => dayOf(daysFrom(now, -(ago ?? 0)));

/** Returns the web of the portfolio: a few mains of each project compete; those that were left sink, those that followed rise. */
export function webOf(domains: readonly Domain[], now: Date): Web {
  const hosts: Record<string, WebHost> = {};
  const counts = new Map<number, number>();
  for (const [index, { domain_name, project_id, type, status }] of domains.entries()) {
    if (project_id === null || type !== 'main') continue;
    const count = (counts.get(project_id) ?? 0) + 1;
    counts.set(project_id, count);
    if (count > COMPETING) continue;
    const until = status === 'blocked' ? dayOf(daysFrom(now, -blockedFor(index))) : null;
    hosts[domain_name] = { topic: String(project_id), from: null, until };
  }
  for (const { left, now: arrived, ago } of MOVES) {
    const way = [...left, arrived].flatMap((index) => domains[index] ?? []);
    for (const [step, { domain_name, project_id }] of way.entries()) {
      const from = step === 0 ? null : movedOn(now, ago[step - 1]);
      const until = step < left.length ? movedOn(now, ago[step]) - 2 : null;
      if (project_id !== null) hosts[domain_name] = { topic: String(project_id), from, until };
    }
  }
  const topics = KEYWORDS.flatMap((own, project) =>
    own.map((keyword) => [normalizeKeyword(keyword), String(project + 1)]),
  );
  return { topics: Object.fromEntries(topics) as Record<string, string>, hosts };
}

/** Logins at XMLRiver: the second has hardly any money. */
export const XMLRIVER = [
  { name: 'XMLRiver основной', login: '10451', key: secretOf(101), balance: 1_812_450 },
  { name: 'XMLRiver запасной', login: '10977', key: secretOf(102), balance: 12_300 },
];
/** The token at Arsenkin Tools. */
export const ARSENKIN = [{ name: 'Arsenkin', token: secretOf(103), limits: 4_340 }];

/** Makes the states of the sources of positions. */
export const searchStates = (web: Web): { xmlriver: XmlriverState; arsenkin: ArsenkinState } => ({
  xmlriver: { accounts: XMLRIVER.map(({ login, key, balance }) => ({ login, key, balance })), web },
  arsenkin: { tokens: Object.fromEntries(ARSENKIN.map(({ token, limits }) => [token, limits])), web },
});

/** When a query was read on a day: in the morning, and never later than now, or a reading that is asked for would be done already. */
const readAt = (day: number, query_id: number, now: Date): string =>
  new Date(Math.min(day * DAY_MS + 5 * 3_600_000 + query_id * 1_000, now.getTime() - 60_000)).toISOString();

/** Returns the ids of found pages; the first call for an address adds its row. */
function pageIds(rows: Row[]): (domain_id: number, url: string) => number {
  const ids = new Map<string, number>();
  return (domain_id, url) => {
    const known = ids.get(url);
    if (known !== undefined) return known;
    const id = ids.size + 1;
    ids.set(url, id);
    rows.push({ id, domain_id, url });
    return id;
  };
}

/** Returns the row of a keyword, which is the `index`-th of its project. */
const keywordRow = (id: number, project_id: number, value: string, index: number, now: Date): Row => ({
  id,
  project_id,
  value,
  normalized: normalizeKeyword(value),
  tags: JSON.stringify(index < 5 ? ['главные'] : []),
  frequency: 12_000 - index * 1_100,
  created_at: daysFrom(now, -DAYS - 5),
});

/** Returns the rows of keywords and of their positions over ninety days in both engines. */
export function positionRows(domains: readonly Domain[], web: Web, now: Date): Record<string, Row[]> {
  const today = dayOf(now.getTime());
  const found_pages: Row[] = [];
  const pageOf = pageIds(found_pages);
  const rows: Record<string, Row[]> = {
    // The last project is read by Arsenkin.
    position_settings: [{ ...defaultSettings(PROJECTS.length), source: 'arsenkin' }],
    keywords: [],
    search_queries: [],
    search_scopes: [],
    found_pages,
    search_days: [],
    positions: [],
  };
  for (const [project] of PROJECTS.entries()) {
    const project_id = project + 1;
    const own = domains.filter((domain) => domain.project_id === project_id);
    const sought = own.filter(({ domain_name }) => web.hosts[domain_name]);
    const scope_id = project_id;
    const domain_ids = JSON.stringify(own.map(({ id }) => id).toSorted((one, other) => one - other));
    rows['search_scopes']?.push({ id: scope_id, project_id, domain_ids });
    for (const [index, value] of (KEYWORDS[project] ?? []).entries()) {
      const keyword_id = (rows['keywords']?.length ?? 0) + 1;
      rows['keywords']?.push(keywordRow(keyword_id, project_id, value, index, now));
      for (const engine of ENGINES) {
        const query_id = (rows['search_queries']?.length ?? 0) + 1;
        const kind = { engine, region: REGIONS[engine], device: 'desktop' } as const;
        rows['search_queries']?.push({ id: query_id, keyword_id, ...kind });
        const results = resultsOf(web, { ...kind, keyword: value });
        for (let ago = DAYS - 1; ago >= 0; ago -= 1) {
          if (project === MISSED.project && ago === MISSED.ago) continue;
          const day = today - ago;
          const urls = results(day).slice(0, DEPTH);
          rows['search_days']?.push({
            query_id,
            day,
            depth: DEPTH,
            requests: 5,
            source: 'xmlriver',
            checked_at: readAt(day, query_id, now),
            scope_id,
            results: ago < DAYS_WITH_LISTS ? deflateRawSync(JSON.stringify(urls)).toString('base64') : null,
          });
          for (const { domain_id, place, url } of placesIn(urls, sought)) {
            rows['positions']?.push({ query_id, day, domain_id, place, page_id: pageOf(domain_id, url) });
          }
        }
      }
    }
  }
  return rows;
}

/** Returns since when the engines have the checked domains in their index, or have not. */
export const indexRows = (domains: readonly Domain[], now: Date): Row[] =>
  domains.flatMap(({ id, yandex_indexation, google_indexation, last_check_indexation, created_at }) =>
    ENGINES.flatMap((engine) => {
      const indexed = engine === 'yandex' ? yandex_indexation : google_indexation;
      if (indexed === null || last_check_indexation === null) return [];
      const row = { domain_id: id, engine, last_checked_at: last_check_indexation };
      const [before, begun = before] = [created_at, daysFrom(now, -90 - (id % 60))].toSorted();
      if (indexed === 1 || begun === created_at) return [{ ...row, since: begun, indexed }];
      return [
        { ...row, since: begun, indexed: 1, last_checked_at: daysFrom(now, -20 - (id % 9)) },
        { ...row, since: daysFrom(now, -19 - (id % 9)), indexed },
      ];
    }),
  );
