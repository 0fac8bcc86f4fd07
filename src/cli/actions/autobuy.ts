import { teamRowNamed } from '../../services/accounts/team.ts';
import { AutoBuyInput, type AutoBuyView } from '../../shared/purchases/auto-buy.ts';
import { projectNamed } from '../../services/portfolio/projects.ts';
import { readAutoBuy, storeAutoBuy } from '../../services/purchases/auto-buy.ts';
import { planReserve, startReserve } from '../../services/purchases/reserves.ts';
import { AppError } from '../../shared/errors.ts';
import { renderReservePlan } from '../../shared/purchases/reserves.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../failure.ts';
import type { Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { renderFor } from '../render.ts';
import { runOperationHere } from '../run-operation.ts';
import { confirm } from '../secret.ts';
import { fieldLines } from '../terminal/layout.ts';

interface Flags {
  project: string;
  template?: string;
  registrar?: string;
  group?: string;
  state?: 'on' | 'off';
  reserves?: string;
  dryRun?: boolean;
}

const FIELDS = ['project_id', 'state', 'template', 'registrars_id', 'cloudflare_groups_id', 'wanted_reserves'] as const;

const textOf = async ({ asked }: Context, settings: AutoBuyView): Promise<string> =>
  (
    await fieldLines(
      asked,
      FIELDS.map((field) => [field, settings[field] ?? '-']),
    )
  ).join('\n');

/** `autobuy show`. */
export async function show(context: Context, { project }: Flags): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  const settings = await readAutoBuy(actor, id);
  return { data: settings, text: await textOf(context, settings) };
}

/** `autobuy set`: what is not given stays as it is. */
export async function set(context: Context, flags: Flags): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, flags.project);
  const { template, registrar, group, state, reserves } = flags;
  const input = parseInput(AutoBuyInput, {
    ...(await readAutoBuy(actor, id)),
    ...(template !== undefined && { template }),
    ...(registrar !== undefined && { registrars_id: (await teamRowNamed('registrars', registrar)).id }),
    ...(group !== undefined && { cloudflare_groups_id: (await teamRowNamed('cloudflare_groups', group)).id }),
    ...(state !== undefined && { state }),
    ...(reserves !== undefined && { wanted_reserves: Number(reserves) }),
  });
  const settings = await storeAutoBuy(actor, input);
  return { data: settings, text: context.say('auto_buy.saved') };
}

/** `autobuy run`: shows name and price, asks, and buys one reserve through the ledger. `--dry-run` ends as the purchase would. */
export async function run(context: Context, { project, dryRun }: Flags): Promise<Result> {
  const { say } = context;
  const { config, actor } = await context.open();
  const { id } = await projectNamed(actor, project);
  const found = await planReserve(actor, id);
  const plan = renderReservePlan(renderFor(context), found);
  const { domain_name, price, currency, registrar, simulates, follows } = plan;
  const named = { domain: domain_name ?? '', price: price ?? '', currency: currency ?? '', registrar: registrar ?? '' };
  const told = [
    say('auto_buy.plan', named),
    say(`auto_buy.follows_${follows}`),
    ...(simulates ? [say('auto_buy.simulated')] : []),
  ].join('\n');
  if (found.refusal) {
    const { key, params } = found.refusal;
    const refusal = new AppError('refused', key, params, { code: 'nothing_to_buy' });
    if (!dryRun) throw refusal;
    const failure = failureOf(refusal, context.asked.language, context.program);
    return { data: { dry_run: true, ...plan }, text: '', exit: failure.exit, failure };
  }
  if (dryRun) return { data: { dry_run: true, ...plan }, text: told };
  context.talk(told);
  await confirm(context, say('cli.confirm_buy', named));
  const shown = { domain_name: named.domain, price: named.price, currency: named.currency };
  return runOperationHere(context, { config, actor }, () => startReserve(actor, id, { shown, here: true }));
}
