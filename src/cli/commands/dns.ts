import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import type { DnsPlan } from '../../services/dns/dns.ts';
import { AppError } from '../../shared/errors.ts';
import type { DnsRecord } from '../../shared/dns/dns.ts';
import { cleanHostname } from '../../shared/hostname.ts';
import { readRecords } from '../../shared/dns/dns-file.ts';
import { DomainDnsInput } from '../../shared/dns/dns-changes.ts';
import type { Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { point, withPointing, type PointingFlags } from '../pointing.ts';
import { act } from '../run.ts';
import { confirm } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface ApplyFlags {
  file: string;
  override?: boolean;
  dryRun?: boolean;
}

const COLUMNS = columnsOf<DnsRecord>({
  type: true,
  name: true,
  content: true,
  proxied: true,
  ttl: true,
  id: false,
  priority: false,
  data: false,
  proxiable: false,
  comment: false,
  tags: false,
  settings: false,
  read_only: false,
});

/** A change that saving makes to a record, as shown to people. */
interface RecordChange {
  change: 'create' | 'update' | 'delete';
  type: string;
  name: string;
  before: string | null;
  after: string | null;
}

const CHANGE_COLUMNS = columnsOf<RecordChange>({ change: true, type: true, name: true, before: true, after: true });

/** `dns list|set|apply`: the records of a domain's zone. */
export function define(noun: Command, help: HelpTexts): void {
  noun.command('list').description(help['dns list']).argument('<name>', help['domain.name']).action(act(list));
  withPointing(noun.command('set').description(help['dns set']).argument('<name>', help['domain.name']), help)
    .addOption(new Option('--tls <state>', help['dns.tls']).choices(['on', 'off']))
    .option('--update-ns', help['dns.update_ns'])
    .action(act(set));
  noun
    .command('apply')
    .description(help['dns apply'])
    .argument('<name>', help['domain.name'])
    .requiredOption('-f, --file <file>', help['dns.file'])
    .option('--override', help['dns.override'])
    .option('--dry-run', help.dry_run)
    .action(act(apply));
}

async function open(context: Context, name: string) {
  const { config, actor } = await context.open();
  const [{ findDomainByName }, dns] = await Promise.all([
    import('../../services/portfolio/domain-lists.ts'),
    import('../../services/dns/dns.ts'),
  ]);
  return { config, actor, dns, domain: await findDomainByName(actor, cleanHostname(name)) };
}

async function list(context: Context, _flags: object, name: string): Promise<Result> {
  const { config, actor, dns, domain } = await open(context, name);
  const { dns: editable, others, zone, version } = await dns.domainDns(config, actor, domain.id);
  const items = [...editable, ...others];
  const summary = { total: items.length, editable: editable.length };
  return { items, columns: COLUMNS, summary, data: { zone, version } };
}

const set = (context: Context, flags: PointingFlags, name: string): Promise<Result> =>
  point(context, flags, cleanHostname(name));

const said = ({ content, proxied }: { content: string; proxied: boolean }): string =>
  proxied ? `${content} (proxied)` : content;

/** Flattens a diff into one line per record. */
const linesOf = ({ deletes, updates, creates }: Pick<DnsPlan, 'deletes' | 'updates' | 'creates'>): RecordChange[] => [
  ...creates.map((to) => ({ change: 'create' as const, type: to.type, name: to.name, before: null, after: said(to) })),
  ...updates.map(({ from, to }) => ({
    change: 'update' as const,
    type: to.type,
    name: to.name,
    before: said(from),
    after: said(to),
  })),
  ...deletes.map((from) => ({
    change: 'delete' as const,
    type: from.type,
    name: from.name,
    before: said(from),
    after: null,
  })),
];

async function apply(context: Context, { file, override = false, dryRun }: ApplyFlags, name: string): Promise<Result> {
  const read = readRecords(await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')));
  if (read === null) throw new AppError('invalid', 'dns.file_unreadable', { file }, { code: 'usage' });
  const input = parseInput(DomainDnsInput, { ...read, override });
  const { config, actor, dns, domain } = await open(context, name);
  const plan = await dns.planDomainDns(config, actor, domain.id, input);
  const items = linesOf(plan);
  const counts = { create: plan.creates.length, update: plan.updates.length, delete: plan.deletes.length };
  const result: Result = { items, columns: CHANGE_COLUMNS, summary: { total: items.length, ...counts } };
  dns.refuseUnsafe(plan, domain.domain_name, input);
  if (dryRun) return { ...result, data: { dry_run: true }, note: () => context.say('cli.dry_run') };
  if (items.length === 0) return { ...result, note: () => context.say('cli.dns_same') };
  await confirm(context, context.say('cli.confirm_dns', { domain: domain.domain_name, ...counts }));
  const [{ registerFlows }, { flows }] = await Promise.all([
    import('../../operations/engine.ts'),
    import('../../services/system/flows.ts'),
  ]);
  registerFlows(flows(config));
  const { operation } = await dns.saveDomainDns(config, actor, domain.id, input);
  return { ...result, data: { operation }, note: () => context.say('cli.dns_saved', counts) };
}
