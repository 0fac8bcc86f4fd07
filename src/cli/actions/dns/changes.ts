import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { zoneNameOf } from '../../../lib/zone-name.ts';
import { planDomainDns, refuseUnsafe, type DnsPlan } from '../../../services/dns/dns.ts';
import { saveDomainDns } from '../../../services/dns/dns-edit.ts';
import { DomainDnsInput } from '../../../shared/dns/dns-changes.ts';
import { placedAt, readRecords, unreadLine, type RecordsFile } from '../../../shared/dns/dns-file.ts';
import { AppError } from '../../../shared/errors.ts';
import { asciiName } from '../../../shared/hostname.ts';
import type { Context } from '../../context.ts';
import { prepareFlows } from '../../flows.ts';
import { textIn } from '../../names.ts';
import { columnsOf, type Column, type Result } from '../../output.ts';
import { parseInput } from '../../parse.ts';
import { point } from '../../point.ts';
import type { PointingFlags } from '../../pointing.ts';
import { confirm } from '../../secret.ts';
import { keepInput } from '../../terminal/interrupt.ts';
import { domainNamed, hostNamed } from '../../found/named.ts';

interface ApplyFlags {
  file: string;
  override?: boolean;
  dryRun?: boolean;
}

/** A change that saving makes to a record, as shown to people. */
interface RecordChange {
  change: 'create' | 'update' | 'delete';
  type: string;
  name: string;
  before: string | null;
  after: string | null;
}

/** `dns set`: points the domain at a server. */
export const set = async (context: Context, flags: PointingFlags, name: string): Promise<Result> =>
  point(context, flags, await hostNamed(context, name));

// Behind a content, for programs.
const PROXIED = ' (proxied)';

const shownContent = ({ content, proxied }: { content: string; proxied: boolean }): string =>
  proxied ? `${content}${PROXIED}` : content;

/** Returns the columns of changes, in which people read in their words that a record goes through the CDN. */
function columnsFor({ say }: Context): Column[] {
  const show = (value: unknown): string => {
    const text = typeof value === 'string' ? value : '';
    return text.endsWith(PROXIED) ? say('plan.proxied', { what: text.slice(0, -PROXIED.length) }) : text;
  };
  return columnsOf<RecordChange>({
    change: true,
    type: true,
    name: true,
    before: { title: 'before', show },
    after: { title: 'after', show },
  });
}

/** Flattens a diff into one line per record. */
const linesOf = ({ deletes, updates, creates }: Pick<DnsPlan, 'deletes' | 'updates' | 'creates'>): RecordChange[] => [
  ...creates.map((to) => ({
    change: 'create' as const,
    type: to.type,
    name: to.name,
    before: null,
    after: shownContent(to),
  })),
  ...updates.map(({ from, to }) => ({
    change: 'update' as const,
    type: to.type,
    name: to.name,
    before: shownContent(from),
    after: shownContent(to),
  })),
  ...deletes.map((from) => ({
    change: 'delete' as const,
    type: from.type,
    name: from.name,
    before: shownContent(from),
    after: null,
  })),
];

/** Returns the records of a file with their full names, where it says what those lie below. Throws AppError `invalid` for a name outside the zone. */
function placed({ dns, origin }: RecordsFile, domain: string): RecordsFile['dns'] {
  const zone = zoneNameOf(domain);
  return dns.map((record) => {
    const { name } = record;
    if (typeof name !== 'string') return record;
    const full = origin === undefined ? name : placedAt(name, origin);
    const host = asciiName(full);
    if (full.endsWith('.') && host !== zone && !host.endsWith(`.${zone}`))
      throw new AppError('invalid', 'dns.file_other_zone', { name: host, zone }, { code: 'usage' });
    return { ...record, name: full };
  });
}

/** Returns the records of a file. Throws AppError `invalid`, with the line at which that is so, where it can't be read. */
function recordsOf(file: string, content: string): RecordsFile {
  const read = readRecords(content);
  if (read !== null) return read;
  const line = unreadLine(content);
  if (line === null) throw new AppError('invalid', 'dns.file_unreadable', { file }, { code: 'usage' });
  throw new AppError('invalid', 'dns.file_line_unreadable', { file, line }, { code: 'usage' });
}

/** `dns apply`: saves the records of a file; without `--override`, only what the file changes. */
export async function apply(
  context: Context,
  { file, override = false, dryRun }: ApplyFlags,
  name: string,
): Promise<Result> {
  if (file === '-') keepInput(null);
  const read = recordsOf(file, file === '-' ? textIn(await buffer(process.stdin)) : textIn(await readFile(file), file));
  const { version } = read;
  const dns = placed(read, await hostNamed(context, name));
  const input = parseInput(DomainDnsInput, { dns, override, ...(version !== undefined && { version }) });
  const { actor } = await context.open();
  const domain = await domainNamed(actor, name);
  const plan = await planDomainDns(actor, domain.id, input);
  const items = linesOf(plan);
  const counts = { create: plan.creates.length, update: plan.updates.length, delete: plan.deletes.length };
  const result: Result = { items, columns: columnsFor(context), summary: { total: items.length, ...counts } };
  refuseUnsafe(plan, domain.domain_name, input);
  if (dryRun) return { ...result, data: { dry_run: true }, note: () => context.say('cli.dry_run') };
  if (items.length === 0) return { ...result, note: () => context.say('cli.dns_same') };
  await confirm(context, context.say('cli.confirm_dns', { domain: domain.domain_name, ...counts }));
  prepareFlows();
  // The version limits the save to the plan that was shown: a zone that has changed since then is refused.
  const { operation } = await saveDomainDns(actor, domain.id, { ...input, version: plan.version });
  return { ...result, data: { operation }, note: () => context.say('cli.dns_saved', counts) };
}
