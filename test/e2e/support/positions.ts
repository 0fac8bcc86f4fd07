import { deflateRawSync } from 'node:zlib';
import { ENGINES } from '../../../src/shared/engines.ts';
import { normalizeKeyword } from '../../../src/shared/positions/keywords.ts';
import { dayOf } from '../../../src/shared/positions/places.ts';
import { inDays, insert } from './portfolio.ts';

/** A keyword with its places by day, the last one today: 0 is not within the depth, null no check. */
export interface KeywordSeed {
  value: string;
  yandex: readonly (number | null)[];
  google?: readonly (number | null)[];
  tags?: readonly string[];
  target_url?: string;
  frequency?: number;
  /** The address that stands there; by default the domain's first page. */
  url?: string;
}

const REGIONS = { yandex: '213', google: '2643' } as const;
const DEPTH = 50;
const RESULTS = ['https://one.example/', 'https://two.example/', 'https://three.example/'];

/**
 * Inserts keywords of a project and the places of one of its domains, in a database without any. Yandex is read to a depth of 50 and its
 * results are kept.
 */
export async function seedPositions(
  project_id: number,
  domain: { id: number; domain_name: string },
  keywords: readonly KeywordSeed[],
): Promise<void> {
  const today = dayOf(Date.now());
  const page = (seed: KeywordSeed): string => seed.url ?? `https://${domain.domain_name}/`;
  const urls = [...new Set(keywords.map(page))];
  await insert('search_scopes', [{ id: 1, project_id, domain_ids: JSON.stringify([domain.id]) }]);
  await insert(
    'found_pages',
    urls.map((url, index) => ({ id: index + 1, domain_id: domain.id, url })),
  );
  await insert(
    'keywords',
    keywords.map(({ value, tags = [], target_url, frequency }, index) => ({
      id: index + 1,
      project_id,
      value,
      normalized: normalizeKeyword(value),
      tags: JSON.stringify(tags),
      target_url,
      frequency,
      created_at: inDays(-100),
    })),
  );
  const asked = keywords.flatMap((seed, index) =>
    ENGINES.map((engine, at) => ({ seed, engine, id: index * ENGINES.length + at + 1, keyword_id: index + 1 })),
  );
  await insert(
    'search_queries',
    asked.map(({ id, keyword_id, engine }) => ({
      id,
      keyword_id,
      engine,
      region: REGIONS[engine],
      device: 'desktop',
    })),
  );
  const read = asked.flatMap(({ seed, engine, id }) => {
    const places = seed[engine] ?? [];
    return places.flatMap((place, index) =>
      place === null ? [] : [{ query_id: id, day: today - places.length + 1 + index, place, url: page(seed) }],
    );
  });
  await insert(
    'search_days',
    read.map(({ query_id, day, url }) => ({
      query_id,
      day,
      depth: DEPTH,
      requests: 1,
      source: 'xmlriver',
      checked_at: inDays(day - today),
      scope_id: 1,
      results: deflateRawSync(JSON.stringify([...RESULTS, url])).toString('base64'),
    })),
  );
  await insert(
    'positions',
    read.flatMap(({ query_id, day, place, url }) =>
      place === 0 ? [] : [{ query_id, day, domain_id: domain.id, place, page_id: urls.indexOf(url) + 1 }],
    ),
  );
}
