import type { DnsRecord } from '../../src/shared/dns.ts';
import type { WantedRecord } from '../../src/shared/dns-diff.ts';
import type { Key, Params } from '../../src/shared/i18n/index.ts';
import type { PageRuleView } from '../../src/shared/rules.ts';

/** An act of a plan, or one that was done. */
export interface LineAct {
  act: string;
  before?: unknown;
  after?: unknown;
}

/** One change as it is read: its sign, and what it is about. */
export interface PlanLine {
  sign: 'create' | 'change' | 'delete';
  what: string;
}

type Say = (key: Key, params?: Params) => string;

/** What an act on the records of a zone leaves: those it touched as they were, and what they became. */
interface RecordsBefore {
  records: DnsRecord[];
}
interface RecordsAfter {
  updated: { id: string; record: WantedRecord }[];
  created: WantedRecord[];
  deleted: string[];
}

const NAMES: Record<string, Key> = { tls_1_3: 'dns_change.tls', security_level: 'plan.security_level' };

const target = (t: Say, { content, proxied }: Pick<WantedRecord, 'content' | 'proxied'>): string =>
  proxied ? t('plan.proxied', { what: content }) : content;

const recordLine = (t: Say, record: DnsRecord | WantedRecord): string =>
  t('plan.record', { type: record.type, name: record.name, content: target(t, record) });

function recordLines(t: Say, before: RecordsBefore, after: RecordsAfter): PlanLine[] {
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

const switched = (t: Say, value: unknown): string => {
  if (value === 'off') return t('dns_change.tls_off');
  return value === 'on' || value === 'zrt' ? t('dns_change.tls_on') : String(value);
};

/** A rule that forwards one domain to another, or one of the zone's that is as Cloudflare keeps it. */
function ruleLine(t: Say, before: unknown, after: unknown): PlanLine {
  const rule = (before ?? after) as { domain: string; to: string } | PageRuleView;
  const what =
    'domain' in rule
      ? t('plan.from_to', { before: rule.domain, after: rule.to })
      : rule.targets.map(({ constraint }) => constraint.value).join(', ');
  return { sign: before ? 'delete' : 'create', what: t('plan.rule', { what }) };
}

/** The changes that acts of a change of DNS make, in the reader's words. An act that is not known keeps its name. */
export function planLines(t: Say, acts: readonly LineAct[]): PlanLine[] {
  return acts.flatMap(({ act, before, after }): PlanLine[] => {
    if (act === 'zone') return [{ sign: 'create', what: t('plan.zone', after as { zone: string }) }];
    if (act === 'dns') return recordLines(t, before as RecordsBefore, after as RecordsAfter);
    if (act === 'rule') return [ruleLine(t, before, after)];
    const key = NAMES[act];
    const name = key ? t(key) : act;
    // A zone that is yet to be made has no value before.
    const value = before
      ? t('plan.from_to', { before: switched(t, before), after: switched(t, after) })
      : switched(t, after);
    return [{ sign: 'change', what: t('plan.setting', { name, value }) }];
  });
}
