import type { CloudflareState, PageRule, Rule, Zone } from '../cloudflare/state.ts';

/** A redirect answered by Cloudflare's edge. */
export interface Forward {
  status: number;
  location: string;
}

/** Finds the active zone of a host: with its own name, or with the nearest name above it. */
export type ZoneFinder = (host: string) => Zone | undefined;

/** Makes a finder of zones by name. Its index is rebuilt only if the state has given out an id since, so that 10,000 zones are found quickly. */
export function zoneFinder(state: CloudflareState): ZoneFinder {
  let ids = -1;
  let named = new Map<string, Zone[]>();
  const refresh = (): void => {
    if (ids === state.ids) return;
    ids = state.ids;
    named = new Map();
    for (const zone of Object.values(state.zones)) named.set(zone.name, [...(named.get(zone.name) ?? []), zone]);
  };
  const serves = (zone: Zone): boolean => zone.status === 'active' && !zone.paused && state.zones[zone.id] === zone;
  return (host) => {
    refresh();
    for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      const zone = named.get(name)?.find(serves);
      if (zone) return zone;
    }
    return undefined;
  };
}

const ADDRESSES = new Set(['A', 'AAAA', 'CNAME']);

/** Whether requests of a host go through the edge: a record of the host, or the wildcard record, is proxied. */
const isProxied = ({ name, records }: Zone, host: string): boolean =>
  [host, `*.${name}`].some((wanted) =>
    records.some((record) => record.name === wanted && record.proxied && ADDRESSES.has(record.type)),
  );

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

function byPageRule({ targets, actions, status }: PageRule, url: string): Forward | undefined {
  const action = actions.find(({ id }) => id === 'forwarding_url');
  if (status !== 'active' || !action) return undefined;
  const { url: to, status_code } = action.value as { url: string; status_code: number };
  for (const { constraint } of targets) {
    // The scheme of a pattern is ignored.
    const pattern = constraint.value.replace(/^https?:\/\//, '');
    const found = new RegExp(`^${escaped(pattern).replaceAll('*', '(.*)')}$`, 'i').exec(url);
    if (found)
      return { status: status_code, location: to.replaceAll(/\$(\d)/g, (_, star) => found[Number(star)] ?? '') };
  }
  return undefined;
}

const HOST_IS = /^\(?\s*http\.host eq "([^"]*)"\s*\)?$/;

/** Whether a rule applies to a host. Supports only expressions that redirects of names need. */
const isFor = (expression: string, host: string): boolean =>
  expression === 'true' || expression.split(/\s+or\s+/).some((part) => HOST_IS.exec(part.trim())?.[1] === host);

interface Redirect {
  from_value: {
    status_code: number;
    target_url: { value: string } | { expression: string };
    preserve_query_string?: boolean;
  };
}

/** Evaluates `concat("https://a", http.request.uri.path)`, or one of its parts. */
function evaluate(expression: string, path: string): string {
  const inner = /^concat\((.*)\)$/.exec(expression.trim())?.[1] ?? expression;
  return [...inner.matchAll(/"([^"]*)"|(http\.request\.uri\.path)/g)].map(([, text]) => text ?? path).join('');
}

function byRedirect({ enabled, expression, action_parameters }: Rule, host: string, url: URL): Forward | undefined {
  if (!enabled || !action_parameters || !isFor(expression, host)) return undefined;
  const { status_code, target_url, preserve_query_string } = (action_parameters as unknown as Redirect).from_value;
  const to = 'value' in target_url ? target_url.value : evaluate(target_url.expression, url.pathname);
  return { status: status_code, location: preserve_query_string ? to + url.search : to };
}

/** Whether the edge serves a host, and thus has a certificate for it. */
export function isServed(find: ZoneFinder, host: string): boolean {
  const zone = find(host);
  return zone !== undefined && isProxied(zone, host);
}

/** Returns the edge's redirect of a request, if any; single redirects come before page rules, these by their priority. */
export function forwardOf(find: ZoneFinder, host: string, target: string): Forward | undefined {
  const zone = find(host);
  if (!zone || !isProxied(zone, host)) return undefined;
  const url = new URL(target, `http://${host}`);
  const redirects = zone.rulesets.flatMap(({ phase, rules }) =>
    phase === 'http_request_dynamic_redirect' ? rules : [],
  );
  for (const rule of redirects) {
    const found = byRedirect(rule, host, url);
    if (found) return found;
  }
  for (const rule of zone.page_rules.toSorted((a, b) => b.priority - a.priority)) {
    const found = byPageRule(rule, `${host}${url.pathname}${url.search}`);
    if (found) return found;
  }
  return undefined;
}
