import { ENGINES } from '../../shared/engines.ts';
import { DAY_MS } from '../../shared/time.ts';
import { PROJECTS } from '../team.ts';
import { HOUR_MS, MINUTE_MS, PAST_DAYS, pick, type Domain } from './time.ts';
import type { Work } from './work.ts';

const BY_ITSELF = { user: null, door: 'schedule', items: [] } as const;
const KEYWORDS = 10;
// Positions are read daily; of older readings the positions alone are kept here.
const READINGS_DAYS = 2;
const REGIONS = { yandex: '213', google: '2643' } as const;

/** The check of all domains, once a day; the last one an hour ago, as the rows of the domains have it. */
function checks(size: number, now: Date): Work[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const times = Array.from({ length: PAST_DAYS - 1 }, (_, at) => {
    const ago = PAST_DAYS - 1 - at;
    return today - ago * DAY_MS + 3 * HOUR_MS + pick(40, ago) * MINUTE_MS;
  });
  return [...times, now.getTime() - HOUR_MS - 20_000].map((at, index): Work => {
    const isLame = index === 43;
    const failed = isLame ? size : 0;
    return {
      user: null,
      door: 'schedule',
      items: [],
      kind: 'check',
      call: 'check',
      subject: 'all/http+blocklist///',
      input: { steps: ['http', 'blocklist'] },
      at,
      seconds: 14 + pick(20, index),
      state: isLame ? 'partial' : 'succeeded',
      total: size * 2,
      done: size * 2,
      failed,
      steps: [
        { name: 'http', done: size, failed: 0 },
        { name: 'blocklist', done: size, failed, state: isLame ? 'failed' : 'succeeded' },
      ],
      message: { key: 'check.finished', params: { done: size * 2 - failed, failed } },
    };
  });
}

/** A work that looks at the portfolio once a week. */
const weekly = (kind: 'expiry' | 'indexation', size: number, now: Date): Work[] =>
  Array.from({ length: Math.floor(PAST_DAYS / 7) }, (_, index): Work => {
    const ago = (Math.floor(PAST_DAYS / 7) - index) * 7 - 4;
    return {
      ...BY_ITSELF,
      items: [],
      kind,
      call: kind,
      subject: kind === 'expiry' ? 'all/due//' : 'all/due//',
      input: { due: true },
      at: now.getTime() - ago * DAY_MS - 2 * HOUR_MS,
      seconds: 60 + pick(90, ago),
      state: 'succeeded',
      total: size,
      done: size,
      failed: 0,
      steps: [{ name: kind, done: size, failed: 0, ...(kind === 'indexation' && { again: true }) }],
      message: { key: `${kind}.finished`, params: { done: size, failed: 0 } },
    };
  });

/** The reading of a project's positions in an engine. */
function reading(project: number, engine: (typeof ENGINES)[number], at: number, read = KEYWORDS): Work {
  const id = project + 1;
  const failed = KEYWORDS - read;
  return {
    ...BY_ITSELF,
    items: [],
    kind: 'positions',
    call: 'positions',
    subject: `${id}/${engine}/all`,
    input: {
      project_id: id,
      keyword_id: null,
      engine,
      region: REGIONS[engine],
      device: 'desktop',
      depth: 50,
      source: id === PROJECTS.length ? 'arsenkin' : 'xmlriver',
    },
    at,
    seconds: 25 + pick(60, project, at),
    state: read === 0 ? 'failed' : 'succeeded',
    total: KEYWORDS,
    done: KEYWORDS,
    failed,
    steps: [{ name: 'positions', done: KEYWORDS, failed, again: true, ...(read === 0 && { state: 'failed' }) }],
    message: { key: 'positions.finished', params: { done: read, failed } },
  };
}

function readings(now: Date, missed: { project: number; ago: number }): Work[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const daily = Array.from({ length: READINGS_DAYS }, (_, ago) => ago).flatMap((ago) =>
    PROJECTS.flatMap((_, project) =>
      ENGINES.map((engine, turn) => {
        const usual = today - ago * DAY_MS + 5 * HOUR_MS + (project * 2 + turn) * 40_000;
        return reading(project, engine, Math.min(usual, now.getTime() - 20 * MINUTE_MS + (project * 2 + turn) * 1_000));
      }),
    ),
  );
  const lost = today - missed.ago * DAY_MS + 5 * HOUR_MS;
  return [...daily, ...ENGINES.map((engine, turn) => reading(missed.project, engine, lost + turn * 40_000, 0))];
}

/** Returns what the program has done by itself. `missed`: the day on which the positions of a project were not read. */
export const routineOf = (domains: readonly Domain[], missed: { project: number; ago: number }, now: Date): Work[] => [
  ...checks(domains.length, now),
  ...weekly('expiry', domains.filter(({ expired_at }) => expired_at !== null).length, now),
  ...weekly('indexation', domains.filter(({ last_check_indexation: at }) => at !== null).length, now),
  ...readings(now, missed),
];
