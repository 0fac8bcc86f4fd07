import type { Command } from 'commander';
import { cleanHostname } from '../../shared/hostname.ts';
import type { PageRuleView } from '../../shared/dns/rules.ts';
import type { Context } from '../context.ts';
import { hostsOf, nameErrors, requireNames } from '../names.ts';
import { columnsOf, type Result } from '../output.ts';
import { point, withPointing, type PointingFlags } from '../pointing.ts';
import { act } from '../run.ts';
import { textOf } from '../run-operation.ts';
import { confirm } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';
import { AppError, noSuch } from '../../shared/errors.ts';

/** Sums an action up: the redirect's target, or the setting and its value. */
function actionText({ id, value }: PageRuleView['actions'][number]): string {
  if (id === 'forwarding_url' && typeof value === 'object' && value !== null) {
    const { status_code, url } = value as { status_code?: unknown; url?: unknown };
    return `${textOf(status_code)} → ${textOf(url)}`;
  }
  return `${id} ${textOf(value ?? '')}`.trim();
}

const COLUMNS = columnsOf<PageRuleView>({
  id: true,
  kind: true,
  status: true,
  targets: {
    title: 'target',
    show: (value) => (value as PageRuleView['targets']).map(({ constraint }) => constraint.value).join(', '),
  },
  actions: {
    title: 'action',
    show: (value) => (value as PageRuleView['actions']).map(actionText).join(', '),
  },
  priority: false,
});

/** `rules list|attach|remove`: the rules of a zone. */
export function define(noun: Command, help: HelpTexts): void {
  noun.command('list').description(help['rules list']).argument('<name>', help['domain.name']).action(act(list));
  withPointing(
    noun
      .command('attach')
      .description(help['rules attach'])
      .argument('<main>', help['rules.main'])
      .argument('[names...]', help.names)
      .option('-f, --file <file>', help.file),
    help,
  ).action(act(attach));
  noun
    .command('remove')
    .description(help['rules remove'])
    .argument('<name>', help['domain.name'])
    .argument('<rule>', help['rules.rule'])
    .option('--dry-run', help.dry_run)
    .action(act(remove));
}

async function open(context: Context, name: string) {
  const { config, actor } = await context.open();
  const [{ findDomainByName }, rules] = await Promise.all([
    import('../../services/portfolio/domain-lists.ts'),
    import('../../services/dns/domain-rules.ts'),
  ]);
  const domain = await findDomainByName(actor, cleanHostname(name));
  return { config, actor, domain, rules };
}

async function list(context: Context, _flags: object, name: string): Promise<Result> {
  const { config, actor, domain, rules } = await open(context, name);
  const items = await rules.domainRules(config, actor, domain.id);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function attach(
  context: Context,
  flags: PointingFlags & { file?: string },
  main: string,
  names: string[],
): Promise<Result> {
  const typed = await requireNames(names, flags.file, 'rules attach');
  const [wrong] = nameErrors(typed, context);
  // One wrong name refuses all: a partial attachment is harder to notice than none.
  if (wrong) throw new AppError('invalid', 'cli.bad_name', { name: wrong.domain }, { code: 'usage' });
  return point(context, flags, cleanHostname(main), hostsOf(typed));
}

async function remove(context: Context, { dryRun }: { dryRun?: boolean }, name: string, rule: string): Promise<Result> {
  const { config, actor, domain, rules } = await open(context, name);
  const found = (await rules.domainRules(config, actor, domain.id)).find(({ id }) => id === rule);
  if (!found) throw noSuch('rule', rule);
  const plan: Result = { items: [found], columns: COLUMNS, summary: { total: 1 } };
  if (dryRun) return { ...plan, data: { dry_run: true }, note: () => context.say('cli.dry_run') };
  await confirm(context, context.say('cli.confirm_remove', { name: rule }));
  const [{ registerFlows }, { flows }] = await Promise.all([
    import('../../operations/engine.ts'),
    import('../../services/system/flows.ts'),
  ]);
  registerFlows(flows(config));
  const operation = await rules.deleteDomainRule(config, actor, domain.id, rule);
  return { ...plan, data: { operation }, note: () => context.say('rules.deleted') };
}
