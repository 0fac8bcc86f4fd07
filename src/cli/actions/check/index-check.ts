import { openSources } from '../../../services/accounts/search-accounts.ts';
import type { Actor } from '../../../services/access/scope.ts';
import { countIndexRequests, startIndexCheck } from '../../../services/checks/check-index.ts';
import { findDomainsNamed } from '../../../services/portfolio/domain-lists.ts';
import type { Engine } from '../../../shared/engines.ts';
import { AppError } from '../../../shared/errors.ts';
import { runHere, wholeAsJob } from '../../check-portfolio.ts';
import type { Context } from '../../context.ts';
import { goingOnByLine } from '../../failure.ts';
import { prepareFlows } from '../../flows.ts';
import { endOfIndexCheck, indexResult } from '../../found/indexation.ts';
import { namesOf } from '../../found/named.ts';
import { endOfNames, hostsOf, nameErrors, readNames, type TypedName } from '../../names.ts';
import type { ItemError, Result } from '../../output.ts';
import { confirm } from '../../secret.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';

interface Flags {
  engine?: Engine;
  file?: string;
  dryRun?: boolean;
}

/** Finds the named domains; those that the actor does not see are errors. */
async function findNamed(
  context: Context,
  actor: Actor,
  names: TypedName[],
): Promise<{ ids: number[]; errors: ItemError[] }> {
  const found = await findDomainsNamed(actor, hostsOf(names));
  const known = new Set(found.map(({ domain_name }) => domain_name));
  const missing = hostsOf(names).filter((host) => !known.has(host));
  const unknown = missing.map((domain): ItemError => {
    return { domain, code: 'not_found', message: context.say('error.no_such_domain', { what: domain }) };
  });
  return { ids: found.map(({ id }) => id), errors: [...nameErrors(names, context), ...unknown] };
}

/**
 * `check index`: of the named domains of the portfolio, or of all its mains. Asks before, since each answer costs money. Names that
 * are not in the portfolio are errors, the others are checked.
 */
export async function checkIndex(context: Context, { engine, file, dryRun }: Flags, typed: string[]): Promise<Result> {
  const names = await readNames(await namesOf(context, typed), file, true);
  const { actor } = await context.open();
  prepareFlows();
  const { ids, errors } = names ? await findNamed(context, actor, names) : { ids: undefined, errors: [] };
  const ofNames = names ? endOfNames(context, names, errors) : {};
  if (ids?.length === 0) {
    const [first] = errors;
    const none = { items: [], summary: { total: 0 }, errors };
    if (!ofNames.failure || ofNames.exit === 2 || !first) return { ...none, ...ofNames };
    return { ...none, exit: 1, failure: { exit: 1, code: first.code, message: first.message } };
  }
  const before = await indexResult(actor, ids);
  const requests = await countIndexRequests(actor, { domain_ids: ids, engine });
  if (dryRun) {
    const data = { dry_run: true, requests };
    return { ...before, data, errors, note: () => context.say('cli.planned_index', { n: requests }), ...ofNames };
  }
  if ((await openSources())('auto') === null) throw new AppError('not_configured', 'indexation.no_account');
  await confirm(context, context.say('cli.confirm_index', { domains: before.items?.length ?? 0, n: requests }));
  const interrupt = watchInterrupt();
  const title = context.say('cli.checking_index');
  const ended = await wholeAsJob(actor, 'indexation', { all: !ids && !engine }, async () => {
    const { id } = await startIndexCheck(actor, { domain_ids: ids, engine }, true);
    return runHere(context, actor, { id, command: 'check index', title, interrupt });
  });
  const end = ended.failure ? await endOfIndexCheck(actor, ended.data.operation.id, ended) : ofNames;
  const failure = end.failure && errors.length > 0 ? goingOnByLine(end.failure, context.asked.language) : end.failure;
  return { ...(await indexResult(actor, ids)), data: ended.data, errors, ...end, ...(failure && { failure }) };
}
