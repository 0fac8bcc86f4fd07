import type { PageResult } from '../../providers/health.ts';
import type { Verdict as ListVerdict } from '../../shared/checks/blocklist.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { factsOf, titleOf } from '../sites/site-likeness.ts';
import { broken, none, ok, unknown, type Verdict } from './facts.ts';
import { leadsAway } from './judge-answer.ts';

const MOST_SHOWN = 100;

/** Returns the title of a page as it may be shown: it is foreign text. */
const shownTitle = (html: string): string =>
  titleOf(html)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_SHOWN) || '—';

/** The facts for the verdict on a page. `release`: the deployed one; `marker`: the answer of its marker file, null: not asked. */
export interface ContentFacts {
  domain: string;
  visit: PageResult;
  release: string | null;
  marker: PageResult | null;
}

/** Whether visitors see the site that was deployed, and not an empty page or a stub. */
export function judgeContent({ domain, visit, release, marker }: ContentFacts): Verdict {
  if (visit.hops.length === 0 || 'error' in visit) return unknown({ key: 'why.not_seen', params: { domain } });
  if (leadsAway(visit, domain)) return none({ key: 'why.content_elsewhere' });
  const { status, body } = visit;
  const facts = factsOf(body, [domain]);
  if (facts.stock === 'challenge') return unknown({ key: 'why.challenge', params: { domain } });
  // A site that was deployed here can be deployed again; otherwise the fault is sought at the server.
  const act = release === null ? 'server' : 'domain';
  if (status < 200 || status > 299) return broken({ key: 'why.http_status', params: { domain, status } }, act);
  const title = shownTitle(body);
  if (facts.stock && facts.stock !== 'failing') return broken({ key: 'why.page_stub', params: { domain, title } }, act);
  if (facts.words.length === 0 && !facts.hasScripts && !/<(?:img|iframe|frame|embed|object|meta)\b/i.test(body)) {
    return broken({ key: 'why.page_empty', params: { domain } }, act);
  }
  if (release === null) return none({ key: 'why.content_unknown', params: { title } });
  if (marker === null || 'error' in marker) return unknown({ key: 'why.marker_unseen', params: { domain } });
  const isOurs = marker.status >= 200 && marker.status <= 299 && marker.body.trim() === release;
  return isOurs
    ? ok({ key: 'why.content_ours', params: { title } })
    : broken({ key: 'why.content_other', params: { domain, title } }, 'domain');
}

/** Whether the blocklist has the name. A blocked main is moved to a reserve. */
export function judgeBlocklist(domain: string, type: DomainView['type'], verdict: ListVerdict | undefined): Verdict {
  if (verdict?.status === 'blocked') {
    const params = { domain, entry: verdict.entry ?? domain };
    return type === 'main'
      ? broken({ key: 'why.blocked', params }, 'transfer')
      : broken({ key: 'why.blocked_reserve', params });
  }
  return verdict?.status === 'free' ? ok({ key: 'why.not_blocked' }) : unknown({ key: 'why.no_list' });
}

/** Whether the search engines have the name, by their stored answers: asking them costs money. Only mains are looked for. */
export function judgeIndex(
  domain: string,
  { type, yandex_indexation, google_indexation, last_check_indexation }: IndexFacts,
): Verdict {
  if (type !== 'main') return none({ key: 'why.index_reserve' });
  const answers = { Yandex: yandex_indexation, Google: google_indexation };
  const told = Object.entries(answers).filter(([, found]) => found !== null);
  if (told.length === 0 || last_check_indexation === null) return none({ key: 'why.index_never' });
  const day = last_check_indexation.slice(0, 10);
  const gone = told.filter(([, found]) => !found).map(([engine]) => engine);
  if (gone.length > 0) return broken({ key: 'why.not_indexed', params: { domain, engine: gone.join(', '), day } });
  return ok({ key: 'why.indexed', params: { engine: told.map(([engine]) => engine).join(', '), day } });
}

type IndexFacts = Pick<DomainView, 'type' | 'yandex_indexation' | 'google_indexation' | 'last_check_indexation'>;
