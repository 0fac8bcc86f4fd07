import { findUser } from '../../services/access/users.ts';
import { teamRowNamed } from '../../services/accounts/team.ts';
import { projectNamed } from '../../services/portfolio/projects.ts';
import type { Actor } from '../../services/access/scope.ts';
import { readBudget, setBudget } from '../../services/purchases/budget.ts';
import { BudgetInput, type BudgetView, type CapInput, type CapView } from '../../shared/purchases/purchases.ts';
import { AppError } from '../../shared/errors.ts';
import { requireAdmin, usageError, type Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { switchedText } from '../switched.ts';

const COLUMNS = columnsOf<CapView>({
  scope: true,
  scope_id: true,
  scope_name: 'name',
  currency: true,
  amount: true,
  used: true,
  left: true,
});

/** Returns the budget as a result: its caps as items, the switch and the limits as the summary. */
function resultOf(context: Context, { caps, reason, ...summary }: BudgetView, warnings: string[] = []): Result {
  const switched = switchedText(context, summary);
  const why = reason ? context.say(reason.key, reason.params) : null;
  const state = context.say(summary.state === 'off' ? 'purchases.off' : 'purchases.on');
  const simulates = summary.simulates ? context.say('purchases.simulates') : null;
  context.talk([state, switched, why, simulates, ...warnings].filter((text) => text !== null).join('\n'));
  return { items: caps, columns: COLUMNS, summary: { ...summary, reason: why, warnings } };
}

/** `budget show`. */
export async function show(context: Context): Promise<Result> {
  requireAdmin((await context.open()).actor);
  return resultOf(context, await readBudget());
}

interface SetFlags {
  currency?: string;
  globalDay?: string;
  perDomain?: string;
  registrarDay?: string[];
  projectDay?: string[];
  userDay?: string[];
  approvalAbove?: string;
  namesDay?: number;
  namesProject?: number;
  pause?: number;
}

const FLAGS: Readonly<Record<CapInput['scope'], string>> = {
  all: '--global-day',
  name: '--per-domain',
  approval: '--approval-above',
  registrar: '--registrar-day',
  project: '--project-day',
  user: '--user-day',
};

/** Parses what is to be set. Throws AppError `invalid`, where a wrong cap has the name of its flag. */
function inputOf(limits: object, caps: readonly Pick<CapInput, 'scope'>[]): BudgetInput {
  try {
    return parseInput(BudgetInput, { ...limits, caps });
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error;
    const fields = Object.entries(error.fields).map(([path, text]): [string, string] => {
      const cap = caps[Number(/^caps\.(\d+)\./.exec(path)?.[1])];
      return [cap ? FLAGS[cap.scope] : path, text];
    });
    throw new AppError('invalid', error.key, error.params, { fields: Object.fromEntries(fields) });
  }
}

type Find = (actor: Actor, name: string) => Promise<number>;

const FINDERS: Record<'registrar' | 'project' | 'user', Find> = {
  registrar: async (_actor, name) => (await teamRowNamed('registrars', name)).id,
  project: async (actor, name) => (await projectNamed(actor, name)).id,
  user: async (_actor, login) => (await findUser(login)).id,
};

// How a cap is removed.
const NONE = 'none';
const amountOf = (text: string): string | null => (text === NONE ? null : text);

const badAmount = (flag: string): AppError =>
  new AppError(
    'invalid',
    'error.invalid',
    { fields: flag },
    { code: 'usage', fields: { [flag]: 'budget.amount_invalid' } },
  );

/** Returns the caps that flags ask for. Throws for a sum without a name, and sums without a currency. */
async function capsOf(actor: Actor, flags: SetFlags): Promise<Omit<CapInput, 'currency'>[]> {
  const caps: Omit<CapInput, 'currency'>[] = [];
  const single = { all: flags.globalDay, name: flags.perDomain, approval: flags.approvalAbove } as const;
  for (const [scope, text] of Object.entries(single)) {
    if (text !== undefined) caps.push({ scope: scope as CapInput['scope'], scope_id: 0, amount: amountOf(text) });
  }
  const named = { registrar: flags.registrarDay, project: flags.projectDay, user: flags.userDay } as const;
  for (const [scope, texts = []] of Object.entries(named)) {
    for (const text of texts) {
      const at = text.lastIndexOf('=');
      if (at < 1) throw badAmount(FLAGS[scope as keyof typeof FLAGS]);
      const scope_id = await FINDERS[scope as keyof typeof FINDERS](actor, text.slice(0, at));
      caps.push({ scope: scope as CapInput['scope'], scope_id, amount: amountOf(text.slice(at + 1)) });
    }
  }
  return caps;
}

/** `budget set`. A cap below what today has spent is taken, and said to count from tomorrow on. */
export async function set(context: Context, flags: SetFlags): Promise<Result> {
  const { actor } = await context.open();
  requireAdmin(actor);
  const caps = await capsOf(actor, flags);
  const { currency, namesDay: names_day, namesProject: names_project, pause: pause_minutes } = flags;
  if (caps.length > 0 && currency === undefined) throw usageError('budget.currency_missing');
  const limits = { names_day, names_project, pause_minutes };
  if (caps.length === 0 && Object.values(limits).every((value) => value === undefined)) {
    throw usageError('budget.nothing');
  }
  const input = inputOf(
    limits,
    caps.map((cap) => Object.assign(cap, { currency })),
  );
  const { warnings, ...budget } = await setBudget(input);
  return resultOf(
    context,
    budget,
    warnings.map(({ key, params }) => context.say(key, params)),
  );
}
