import { planRenewals } from '../../../services/purchases/renewal-quotes.ts';
import { startRenewals } from '../../../services/purchases/renewals.ts';
import { sumsOf } from '../../../shared/purchases/renewal-sums.ts';
import type { RenewalPlan, RenewalQuote } from '../../../shared/purchases/renewals.ts';
import { renderRenewals } from '../../../shared/purchases/renewals.ts';
import type { Context } from '../../context.ts';
import { hostsOf, refuseWrong, requireNames } from '../../names.ts';
import { columnsOf, type Failure, type Result } from '../../output.ts';
import { renderFor } from '../../render.ts';
import { runOperationHere } from '../../run-operation.ts';
import { confirm } from '../../secret.ts';
import { domainNamed, eachFound, namesOf } from '../../found/named.ts';

interface RenewFlags {
  file?: string;
  dryRun?: boolean;
}

const COLUMNS = columnsOf<RenewalQuote>({
  domain_name: true,
  registrar: true,
  expires_day: 'expires',
  renewed_day: 'renewed',
  price: true,
  currency: true,
  balance: true,
  refusal: true,
  expires_at: false,
  id: false,
  registrar_type: false,
});

const leftTold = (say: Context['say'], left: RenewalPlan['left']): string[] =>
  left.length === 0
    ? []
    : [say('renewal.left', { sum: left.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ') })];

/** `domain renew`: shows what it costs, asks, and pays through the ledger. A wrong name, or one that can't be renewed, stops all of them. */
export async function renew(context: Context, { file, dryRun }: RenewFlags, names: string[]): Promise<Result> {
  const { say } = context;
  const typed = await requireNames(await namesOf(context, names), file, 'domain renew');
  refuseWrong(typed);
  const { config, actor } = await context.open();
  const ids = (await eachFound(hostsOf(typed), (host) => domainNamed(actor, host))).map(({ id }) => id);
  const { quotes, simulates, left } = renderRenewals(renderFor(context), await planRenewals(actor, ids));
  const refused = quotes.filter(({ refusal }) => refusal !== null);
  const sum = sumsOf(quotes)
    .map(({ amount, currency }) => `${amount} ${currency}`)
    .join(' + ');
  const told = [
    sum === '' ? say('renewal.nothing') : say('renewal.total', { sum }),
    ...leftTold(say, left),
    ...(simulates ? [say('renewal.simulated')] : []),
  ].join('. ');
  const [first] = refused;
  if (dryRun || first) {
    const errors = refused.map((quote) => ({
      domain: quote.domain_name,
      code: 'not_renewable',
      message: quote.refusal ?? '',
    }));
    const summary = { total: quotes.length, failed: errors.length };
    const result: Result = {
      items: quotes,
      columns: COLUMNS,
      summary,
      errors,
      data: { dry_run: dryRun === true, sum },
      note: () => told,
    };
    if (!first) return result;
    const message = `${first.domain_name}: ${first.refusal ?? ''}`;
    // A real run renews nothing if one domain can't be renewed: `partial` would say that the others are done.
    const failure: Failure =
      dryRun && refused.length < quotes.length
        ? { exit: 5, code: 'partial', message }
        : { exit: 1, code: 'not_renewable', message };
    return { ...result, exit: failure.exit, failure };
  }
  await confirm(context, say('cli.confirm_renew', { n: quotes.length, sum, names: hostsOf(typed).join(', ') }));
  const domains = quotes.map(({ id, price, currency, expires_at }) => ({
    id,
    price: price ?? '',
    currency: currency ?? '',
    expires_at: expires_at ?? '',
  }));
  return runOperationHere(context, { config, actor }, () => startRenewals(actor, { domains }, { here: true }));
}
