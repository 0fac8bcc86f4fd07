import type { Command } from 'commander';
import type { TransferPlan } from '../../services/transfers/transfers.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import type { TransferHistoryEntry } from '../../shared/transfers/transfer-plan.ts';
import { cleanHostname } from '../../shared/hostname.ts';
import type { Context, Opened } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { planResult } from '../plan-result.ts';
import { act } from '../run.ts';
import { runOperationHere } from '../run-operation.ts';
import { confirm } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';
import { defineAuto } from './transfer-auto.ts';

interface RunFlags {
  force?: boolean;
  confirmSite?: string;
  dryRun?: boolean;
}

const HISTORY = columnsOf<TransferHistoryEntry>({
  created_at: true,
  main_domain_name: true,
  transfer_domain_name: true,
  action: true,
  outcome: true,
  redirect_seen_at: true,
  operation_id: true,
  warning: true,
  id: false,
  main_domain_id: false,
  transfer_domain_id: false,
});

/** `transfer plan|run|history|auto`: moves sites to reserve domains. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('plan')
    .description(help['transfer plan'])
    .argument('<source>', help['transfer.source'])
    .argument('[target]', help['transfer.picked'])
    .action(act(plan));
  noun
    .command('run')
    .description(help['transfer run'])
    .argument('<source>', help['transfer.source'])
    .argument('<target>', help['transfer.target'])
    .option('--force', help['transfer.force'])
    .option('--confirm-site <print>', help['transfer.confirm_site'])
    .option('--dry-run', help.dry_run)
    .action(act(run));
  noun
    .command('history')
    .description(help['transfer history'])
    .argument('<name>', help['domain.name'])
    .action(act(history));
  defineAuto(noun, help);
}

interface Pair extends Opened {
  source: DomainView;
  target: Pick<DomainView, 'id' | 'domain_name'>;
}

async function openPair(context: Context, sourceName: string, targetName: string | undefined): Promise<Pair> {
  const opened = await context.open();
  const { config, actor } = opened;
  const [{ findDomainByName }, { pickFor }] = await Promise.all([
    import('../../services/portfolio/domain-lists.ts'),
    import('../../services/transfers/choice.ts'),
  ]);
  const source = await findDomainByName(actor, cleanHostname(sourceName));
  const target =
    targetName === undefined ? await pickFor(config, source) : await findDomainByName(actor, cleanHostname(targetName));
  return { ...opened, source, target };
}

const asked = ({ source, target }: Pair, { force = false, confirmSite }: RunFlags) => ({
  sourceDomainId: source.id,
  targetDomainId: target.id,
  force,
  confirm_site: confirmSite,
});

async function lookAhead(context: Context, pair: Pair, flags: RunFlags): Promise<Result> {
  const { planTransfer } = await import('../../services/transfers/transfers.ts');
  return planned(context, pair, await planTransfer(pair.config, pair.actor, asked(pair, flags)));
}

/** Returns the lines that show the reserve's page to a person, and the flag that confirms it; none if it is clear. */
function seenLines(context: Context, { seen, likeness }: TransferPlan['readiness']): string[] {
  if (!seen || !likeness || !['unclear', 'different'].includes(likeness.verdict)) return [];
  const { print, ...params } = seen;
  const said = context.say(seen.title === '' ? 'transfer.seen_untitled' : 'transfer.seen', params);
  return [`    ${said}`, `    --confirm-site=${print}`];
}

/** The plan's result, with the readiness of the reserve. */
async function planned(context: Context, { source, target }: Pair, found: TransferPlan): Promise<Result> {
  const { readiness, ...rest } = found;
  const warnings = rest.warnings.map(({ key, params }) => context.say(key, params));
  const result = await planResult(context, rest);
  const names = { source: source.domain_name, target: target.domain_name };
  const head = context.say('transfer.moving', names);
  const shown = warnings.map((warning) => `  ! ${warning}`);
  const text = [head, ...shown, ...seenLines(context, readiness), result.text ?? ''].join('\n');
  return { ...result, text, data: { ...result.data, ...names, readiness, warnings } };
}

const plan = async (context: Context, flags: RunFlags, source: string, target?: string): Promise<Result> =>
  lookAhead(context, await openPair(context, source, target), flags);

async function run(context: Context, flags: RunFlags, sourceName: string, targetName: string): Promise<Result> {
  const pair = await openPair(context, sourceName, targetName);
  if (flags.dryRun) return lookAhead(context, pair, flags);
  const { config, actor, source, target } = pair;
  const names = { source: source.domain_name, target: target.domain_name };
  await confirm(context, context.say('cli.confirm_transfer', names));
  const { startTransfer } = await import('../../services/transfers/transfers.ts');
  return runOperationHere(context, { config, actor }, () =>
    startTransfer(config, actor, asked(pair, flags), { here: true }),
  );
}

async function history(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ findDomainByName }, { transferHistory }] = await Promise.all([
    import('../../services/portfolio/domain-lists.ts'),
    import('../../services/transfers/transfers.ts'),
  ]);
  const { id } = await findDomainByName(actor, cleanHostname(name));
  const { data } = await transferHistory(actor, context.asked.language, id);
  return { items: data, columns: HISTORY, summary: { total: data.length } };
}
