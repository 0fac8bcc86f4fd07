import { projectNamed } from '../../services/portfolio/projects.ts';
import { switchPurchases } from '../../services/purchases/budget.ts';
import { approvePurchase, purchaseToApprove, resolvePurchase } from '../../services/purchases/decisions.ts';
import { findPurchase, listPurchases } from '../../services/purchases/purchases.ts';
import { namesMissing } from '../../shared/errors.ts';
import type { PurchaseSelection, PurchaseView } from '../../shared/purchases/purchases.ts';
import { requireAdmin, usageError, type Context } from '../context.ts';
import { columnsOf, minorOf, type Result } from '../output.ts';
import { confirm } from '../secret.ts';
import { switchedText } from '../switched.ts';
import { fieldLines } from '../terminal/layout.ts';

type Shown = PurchaseView<string>;

const COLUMNS = columnsOf<Shown>({
  id: true,
  created_at: 'at',
  kind: true,
  domain_name: true,
  state: true,
  price: true,
  charged: true,
  currency: true,
  registrar_name: 'registrar',
  project_name: 'project',
  asker_login: 'asker',
  user_login: 'user',
  error: true,
  expires_day: 'expires',
  renewed_day: 'renewed',
  needs_person: false,
  years: false,
  registrar_id: false,
  registrar_type: false,
  project_id: false,
  user_id: false,
  asked_by: false,
  operation_id: false,
  domain_id: false,
  day: false,
  order_id: false,
  sent_at: false,
  look_at: false,
  evidence: false,
  approver_login: false,
  approved_at: false,
  resolver_login: false,
  resolved_at: false,
  changed_at: false,
});

const shown = ({ say }: Context, { error, evidence, ...purchase }: PurchaseView): Shown => ({
  ...purchase,
  error: error && say(error.key, error.params),
  evidence: evidence.map(({ at, said }) => ({ at, said: say(said.key, said.params) })),
});

interface ListFlags {
  state?: PurchaseSelection['state'];
  project?: string;
  limit: number;
  offset: number;
}

/** `purchases list`: the newest first. */
export async function list(context: Context, { state, project, limit, offset }: ListFlags): Promise<Result> {
  const { actor } = await context.open();
  const id = project === undefined ? undefined : (await projectNamed(actor, project)).id;
  const { data, total = 0 } = await listPurchases(actor, { state, project: id, limit, offset });
  return { items: data.map((one) => shown(context, one)), columns: minorOf(COLUMNS, 'kind'), summary: { total } };
}

const one = async (context: Context, id: number): Promise<Result> => {
  const { actor } = await context.open();
  const data = shown(context, await findPurchase(actor, id).catch(namesMissing('purchase', id)));
  const facts = Object.entries(data).filter(([name, value]) => value !== null && name !== 'evidence');
  const lines = [...(await fieldLines(context.asked, facts)), ...data.evidence.map(({ at, said }) => `${at} ${said}`)];
  return { data, text: lines.join('\n') };
};

/** `purchases show`. */
export const show = (context: Context, _flags: object, id: number): Promise<Result> => one(context, id);

/** `purchases resolve`: a person's word on a purchase whose end is not known. */
export async function resolve(
  context: Context,
  { bought, notBought }: { bought?: true; notBought?: true },
  id: number,
): Promise<Result> {
  const { actor } = await context.open();
  requireAdmin(actor);
  if (bought === notBought) throw usageError('purchase.outcome_missing');
  await resolvePurchase(actor, id, bought === true).catch(namesMissing('purchase', id));
  return one(context, id);
}

/** `purchases approve`: asks before, since the order is sent then. */
export async function approve(context: Context, { dryRun }: { dryRun?: true }, id: number): Promise<Result> {
  const { actor } = await context.open();
  requireAdmin(actor);
  await purchaseToApprove(actor, id).catch(namesMissing('purchase', id));
  const found = await one(context, id);
  if (dryRun) return { ...found, data: { dry_run: true, ...found.data }, note: () => context.say('cli.dry_run') };
  const { domain_name, price, currency } = await findPurchase(actor, id);
  await confirm(context, context.say('cli.confirm_approve', { id, domain: domain_name, price, currency }));
  await approvePurchase(actor, id).catch(namesMissing('purchase', id));
  return one(context, id);
}

async function turn(context: Context, state: 'on' | 'off'): Promise<Result> {
  requireAdmin((await context.open()).actor);
  const { switched_at, switched_by } = await switchPurchases(state);
  const told = [context.say(`purchases.${state}`), switchedText(context, { switched_at, switched_by })];
  return { data: { state, switched_at, switched_by }, text: told.filter((text) => text !== null).join('\n') };
}

/** `purchases off`. */
export const off = (context: Context): Promise<Result> => turn(context, 'off');

/** `purchases on`. */
export const on = (context: Context): Promise<Result> => turn(context, 'on');
