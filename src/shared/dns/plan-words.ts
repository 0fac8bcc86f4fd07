import type { DnsRecord } from './dns.ts';
import type { RecordsAfter, RecordsBefore, WantedRecord } from './dns-diff.ts';
import type { Key, Message, Params } from '../i18n/index.ts';
import type { PageRuleView } from './rules.ts';

/** An act that is planned or was done. */
export interface LineAct {
  act: string;
  before?: unknown;
  after?: unknown;
}

/** One change for display: its sign, and its text. */
export interface PlanLine {
  sign: 'create' | 'change' | 'delete';
  what: string;
}

type Say = (key: Key, params?: Params) => string;

const NAMES: Record<string, Key> = { tls_1_3: 'dns_change.tls', security_level: 'plan.security_level' };

const target = (t: Say, { content, proxied }: Pick<WantedRecord, 'content' | 'proxied'>): string =>
  proxied ? t('plan.proxied', { what: content }) : content;

const recordLine = (t: Say, record: DnsRecord | WantedRecord): string =>
  t('plan.record', { type: record.type, name: record.name, content: target(t, record) });

/** The lines of an undo: created records are deleted, and so on. */
function recordLinesBack(t: Say, made: RecordsAfter, { records }: RecordsBefore): PlanLine[] {
  const into = new Map(made.updated.map(({ id, record }) => [id, record]));
  return [
    ...records.map((record): PlanLine => {
      const now = into.get(record.id);
      if (!now) return { sign: 'create', what: recordLine(t, record) };
      const words = t('plan.from_to', { before: target(t, now), after: target(t, record) });
      return { sign: 'change', what: `${record.type} ${record.name}: ${words}` };
    }),
    ...made.created.map((record): PlanLine => ({ sign: 'delete', what: recordLine(t, record) })),
  ];
}

const isWayBack = (before: RecordsBefore | RecordsAfter): before is RecordsAfter => 'created' in before;

type Records = RecordsBefore | RecordsAfter | null | undefined;

function recordLines(t: Say, before: Records, after: Records): PlanLine[] {
  // An act of which only its name is stored.
  if (!before || !after) return [];
  if (isWayBack(before)) return isWayBack(after) ? [] : recordLinesBack(t, before, after);
  return isWayBack(after) ? recordLinesForth(t, before, after) : [];
}

function recordLinesForth(t: Say, before: RecordsBefore, after: RecordsAfter): PlanLine[] {
  const was = new Map(before.records.map((record) => [record.id, record]));
  return [
    ...after.created.map((record) => ({ sign: 'create' as const, what: recordLine(t, record) })),
    ...after.updated.map(({ id, record }) => {
      const old = was.get(id);
      const from = old ? t('plan.from_to', { before: target(t, old), after: target(t, record) }) : target(t, record);
      return { sign: 'change' as const, what: `${record.type} ${record.name}: ${from}` };
    }),
    ...after.deleted.flatMap((id) => {
      const old = was.get(id);
      return old ? [{ sign: 'delete' as const, what: recordLine(t, old) }] : [];
    }),
  ];
}

// The levels of protection, in the words of who reads a plan.
const LEVELS: Record<string, Key> = {
  off: 'plan.level_off',
  essentially_off: 'plan.level_essentially_off',
  low: 'plan.level_low',
  medium: 'plan.level_medium',
  high: 'plan.level_high',
  under_attack: 'plan.level_under_attack',
};

const switched = (t: Say, setting: string, value: unknown): string => {
  const level = setting === 'security_level' ? LEVELS[String(value)] : undefined;
  if (level) return t(level);
  if (value === 'off') return t('dns_change.tls_off');
  return value === 'on' || value === 'zrt' ? t('dns_change.tls_on') : String(value);
};

/** The line of a rule: one that forwards a domain to another, or any rule of the zone as Cloudflare stores it. */
function ruleLine(t: Say, before: unknown, after: unknown): PlanLine {
  const rule = (before ?? after) as { domain: string; to: string } | PageRuleView;
  const what =
    'domain' in rule
      ? t('plan.from_to', { before: rule.domain, after: rule.to })
      : rule.targets.map(({ constraint }) => constraint.value).join(', ');
  return { sign: before ? 'delete' : 'create', what: t('plan.rule', { what }) };
}

/** A redirect of a whole name, as acts store it. */
interface Forwarding {
  domain: string;
  to: string;
}

/** Lines of a list of rules that are deleted, or restored by an undo. */
const rulesLines = (t: Say, before: unknown, after: unknown): PlanLine[] =>
  [before, after].flatMap((rules, index) =>
    Array.isArray(rules) ? rules.map((rule) => (index === 0 ? ruleLine(t, rule, null) : ruleLine(t, null, rule))) : [],
  );

function redirectLines(t: Say, before: unknown, after: unknown): PlanLine[] {
  // An undo may store the redirect as the rule that it deletes.
  if (!after) return before ? [ruleLine(t, before, null)] : [];
  const { domain, to } = after as Forwarding;
  const old = (before as Forwarding | null)?.to;
  // The redirect existed already; the act only marks the point after which there is no rollback.
  if (old === to) return [];
  const what = t('plan.from_to', { before: old ?? domain, after: to });
  return old === undefined
    ? [{ sign: 'create', what: t('plan.redirect', { what }) }]
    : [{ sign: 'change', what: t('plan.redirect', { what: `${domain}: ${what}` }) }];
}

/** The line of the name servers at the registrar. A zone that is yet to be made has none. */
function delegationLine(t: Say, before: unknown, after: unknown): PlanLine {
  const [was, next] = [before, after].map((image) => (image as { name_servers: string[] }).name_servers.join(', '));
  const to = next === '' ? t('plan.ns_of_new_zone') : next;
  const what = t('plan.name_servers', { what: was ? t('plan.from_to', { before: was, after: to ?? '' }) : (to ?? '') });
  return { sign: 'change', what };
}

/** Lines of an act of a transfer; null for any other act. */
function moveLines(t: Say, { act, before, after }: LineAct): PlanLine[] | null {
  // These acts only look, and change nothing.
  if (act === 'snapshot' || act === 'verify') return [];
  if (act === 'unforward' || act === 'one_rule') return rulesLines(t, before, after);
  if (act === 'redirect' || act.startsWith('chain:')) return redirectLines(t, before, after);
  if (act !== 'swap') return null;
  if (!before && !after) return [];
  const [old, next] = [before, after].map((role) => (role as { main: string } | null)?.main ?? '');
  return [
    { sign: 'change', what: t('plan.main', { what: t('plan.from_to', { before: old ?? '', after: next ?? '' }) }) },
  ];
}

/** Name of a release by its link: the first eight characters identify it. */
const releaseName = (t: Say, link: unknown): string => {
  if (typeof link !== 'string') return t('plan.site_none');
  const name = link.slice(link.lastIndexOf('/') + 1);
  return name.startsWith('before-') ? t('plan.site_folder') : name.slice(0, 8);
};

/** Lines of an act on a site's files; null for any other act. */
function siteLines(t: Say, { act, before, after }: LineAct): PlanLine[] | null {
  if (act === 'activate') {
    if (before === undefined && after === undefined) return [];
    const what = t('plan.from_to', { before: releaseName(t, before), after: releaseName(t, after) });
    return [{ sign: 'change', what: t('plan.site_switch', { what }) }];
  }
  if (act === 'keep') {
    if (!before || !after) return [];
    const { folder, files, more } = before as { folder: string; files: number; more: boolean };
    const count = more ? `${files}+` : String(files);
    return [
      {
        sign: 'change',
        what: t('plan.site_kept', { folder, files: count, kept: (after as { folder: string }).folder }),
      },
    ];
  }
  // This act only looks, after the switch.
  if (act === 'served') return [];
  if (act === 'prune') return Array.isArray(after) ? [{ sign: 'delete', what: t('plan.site_old') }] : [];
  if (act !== 'upload') return null;
  // Uploaded files stay on an undo.
  if (!after) return [];
  const { files, new_files: n, new_bytes: bytes } = after as { files: number; new_files: number; new_bytes: number };
  return [{ sign: 'create', what: t('plan.site_files', { files, n, size: Math.ceil(bytes / 1024) }) }];
}

/** The act of a plan that tells of a zone in another account; it changes nothing. */
export const ELSEWHERE = 'zone_elsewhere';

/** Returns the text that a plan needs beside its lines: a zone that it creates lacks the records of other name servers, or of another account. */
export function planNote(acts: readonly LineAct[]): Message | null {
  const elsewhere = acts.find(({ act, before }) => act === ELSEWHERE && before);
  if (elsewhere) return { key: 'plan.zone_elsewhere', params: elsewhere.before as { domain: string; account: string } };
  return acts.some(({ act, after }) => act === 'zone' && after) ? { key: 'plan.new_zone' } : null;
}

/** Describes in the reader's language the changes of acts on a zone, a site or a transfer, or of their undo. An unknown act keeps its name. */
export function planLines(t: Say, acts: readonly LineAct[]): PlanLine[] {
  return acts.flatMap(({ act, before, after }): PlanLine[] => {
    // A created zone stays on an undo.
    if (act === 'zone') return after ? [{ sign: 'create', what: t('plan.zone', after as { zone: string }) }] : [];
    if (act === ELSEWHERE) return [];
    if (act === 'dns') return recordLines(t, before as Records, after as Records);
    if (act === 'rule') return before || after ? [ruleLine(t, before, after)] : [];
    if (act === 'name_servers') return before && after ? [delegationLine(t, before, after)] : [];
    if (act === 'place') return [{ sign: 'change', what: t('plan.place') }];
    const others = siteLines(t, { act, before, after }) ?? moveLines(t, { act, before, after });
    if (others) return others;
    // Of several names of a zone all but the first stand behind the setting.
    const [setting = act, ...names] = act.split(' ');
    const key = NAMES[setting];
    const name = key ? [t(key), ...names].join(' ') : act;
    if (after === undefined || after === null) return before ? [{ sign: 'change', what: name }] : [];
    // A zone that does not exist yet has no value before.
    const value = before
      ? t('plan.from_to', { before: switched(t, setting, before), after: switched(t, setting, after) })
      : switched(t, setting, after);
    return [{ sign: 'change', what: t('plan.setting', { name, value }) }];
  });
}
