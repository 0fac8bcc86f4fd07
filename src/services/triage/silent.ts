// Names that do not answer, by what explains most of them.
import type { Message } from '../../shared/i18n/index.ts';
import { isKey } from '../../shared/i18n/index.ts';
import type { TriageCause, TriageItem, TriageName } from '../../shared/triage/triage.ts';
import type { Cause } from '../notices/facts.ts';
import { divideByCause } from '../notices/grouping.ts';
import type { DownBucket, DownCause, DownRow } from './rows.ts';

// A server of which most names answer is not why some of them don't.
const LEAST_SHARE = 0.5;

/** Names that do not answer and have a cause in common. */
export interface Silent {
  key: string;
  cause: TriageCause;
  count: number;
  first_id: number;
  last_id: number;
  since: string | null;
}

/** Down names by cause. `but`: those causes, as a filter of the names that get rows of their own. */
export interface SilentParts {
  groups: Silent[];
  but: DownCause;
  /** Number of down names without a cause. */
  alone: number;
}

type Caused = DownBucket & { causes: Cause[] };

const caused = (bucket: DownBucket, causes: Cause[]): Caused => ({ ...bucket, causes });

const keyOf = (kind: 'server' | 'account', id: number): string => `${kind}:${id}`;
const sum = <One>(all: readonly One[], of: (one: One) => number): number => all.reduce((n, one) => n + of(one), 0);

/** Returns the servers and accounts of which at least half of the names are down, with the numbers of all their names and those that are down. */
function suspectsOf(buckets: readonly DownBucket[]): Map<string, { name: string; all: number; down: number }> {
  const found = new Map<string, { name: string; all: number; down: number }>();
  for (const bucket of buckets) {
    for (const kind of ['server', 'account'] as const) {
      const id = bucket[`${kind}_id`];
      if (id === null) continue;
      const before = found.get(keyOf(kind, id)) ?? { name: bucket[kind] ?? '', all: 0, down: 0 };
      found.set(keyOf(kind, id), { ...before, all: before.all + bucket.all, down: before.down + bucket.down });
    }
  }
  return new Map([...found].filter(([, { all, down }]) => down >= all * LEAST_SHARE));
}

const least = (times: readonly (string | null)[]): string | null =>
  times.reduce((one, other) => (one === null || (other !== null && other < one) ? other : one), null);

/** Divides names that do not answer as notices are divided: by server or CDN account, and those that are left by the layer that a person's question found broken. */
export function divideSilent(buckets: readonly DownBucket[]): SilentParts {
  const suspects = suspectsOf(buckets);
  const share = (key: string): number => {
    const { all, down } = suspects.get(key) ?? { all: 1, down: 0 };
    return down / all;
  };
  const down = buckets
    .filter((bucket) => bucket.down > 0)
    .map((bucket) => {
      const keys = (['server', 'account'] as const).flatMap((kind) => {
        const id = bucket[`${kind}_id`];
        return id !== null && suspects.has(keyOf(kind, id)) ? [keyOf(kind, id)] : [];
      });
      const causes = keys.toSorted((one, other) => share(other) - share(one));
      return caused(
        bucket,
        causes.map((key) => ({ key, name: suspects.get(key)?.name ?? '' })),
      );
    });
  const weigh = (bucket: Caused): number => bucket.down;
  const places = divideByCause(down, weigh);
  const byLayer = places.rest.map((bucket) =>
    caused(bucket, bucket.layer === null ? [] : [{ key: `layer:${bucket.layer}`, name: bucket.layer }]),
  );
  const layers = divideByCause(byLayer, weigh);
  const found = [...places.groups, ...layers.groups].map(([{ key, name }, some]): Silent => {
    const [kind = ''] = key.split(':');
    const count = sum(some, weigh);
    return {
      key,
      cause: { kind: kind as TriageCause['kind'], name, of: suspects.get(key)?.all ?? count },
      count,
      first_id: Math.min(...some.flatMap(({ first_id }) => first_id ?? [])),
      last_id: Math.max(...some.flatMap(({ last_id }) => last_id ?? [])),
      since: least(some.map(({ since }) => since)),
    };
  });
  const idsOf = (kind: string): string[] =>
    found.flatMap(({ key }) => (key.startsWith(`${kind}:`) ? [key.slice(kind.length + 1)] : []));
  return {
    groups: found.toSorted((one, other) => other.count - one.count),
    but: { servers: idsOf('server').map(Number), accounts: idsOf('account').map(Number), layers: idsOf('layer') },
    alone: sum(layers.rest, weigh),
  };
}

const unnamed = { title: null, declined: null, price: null } as const;

/** Returns the item of names that a cause explains. */
export function causeItem({ key, cause, count, since }: Silent, names: TriageName[]): TriageItem<Message> {
  const text: Message =
    count === cause.of
      ? { key: 'triage.all_of', params: { n: count } }
      : { key: 'triage.part_of', params: { n: count, of: cause.of } };
  return { key, kind: 'cause', cause, names, count, text, act: { kind: 'check', key }, since, ...unnamed };
}

function answerOf({ http_status_code, http_error }: DownRow): Message {
  const key = `health.${http_error}`;
  if (http_status_code !== null) return { key: 'triage.answers', params: { code: String(http_status_code) } };
  return isKey(key) ? { key } : { key: 'triage.no_answer' };
}

function whyOf(row: DownRow): Message {
  const layer = `why.layer_${row.layer}`;
  return isKey(layer) ? { key: 'triage.layer', words: { layer }, also: [answerOf(row)] } : answerOf(row);
}

/** Returns the item of a name that does not answer for itself. */
export function downItem(row: DownRow): TriageItem<Message> {
  const { id, domain_name, unicode_name, project_name, since } = row;
  const key = `domain:${id}`;
  const names = [{ id, domain_name, unicode_name, project_name }];
  return {
    key,
    kind: 'down',
    cause: null,
    names,
    count: 1,
    text: whyOf(row),
    act: { kind: 'check', key },
    since,
    ...unnamed,
  };
}
