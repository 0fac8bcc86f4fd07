import { AddedAlike, addDomains } from '../../../services/portfolio/domain-adding.ts';
import { deleteDomain } from '../../../services/portfolio/domains.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DomainView } from '../../../shared/portfolio/domains.ts';
import type { Context } from '../../context.ts';
import { failureOf } from '../../failure.ts';
import { endOfNames, hostsOf, nameErrors, requireNames, type TypedName } from '../../names.ts';
import { showOnly, type ItemError, type Result } from '../../output.ts';
import { parseInput } from '../../parse.ts';
import { domainNamed, namesOf } from '../../found/named.ts';
import { selectionOf } from '../../selected.ts';
import type { ChosenFlags } from './chosen.ts';
import { DETAIL_COLUMNS } from './columns.ts';
import { removeMany } from './many.ts';

interface AddFlags {
  file?: string;
  project?: string;
  type?: string;
}

/** `domain add`: a name that is taken does not stop the others. */
export async function add(context: Context, flags: AddFlags, names: string[]): Promise<Result> {
  const typed = await requireNames(names, flags.file, 'domain add');
  const { actor } = await context.open();
  const { project_id } = await selectionOf(actor, flags.project === undefined ? {} : { project: flags.project });
  const alike = parseInput(AddedAlike, { project_id, type: flags.type });
  const result = await each(context, typed, (hosts) => addDomains(actor, hosts, alike));
  return { ...result, columns: DETAIL_COLUMNS };
}

interface RemoveFlags extends ChosenFlags {
  dryRun?: boolean;
}

/** `domain remove` of typed names: no confirmation, because a removed domain can be restored for 30 days. */
export async function remove(context: Context, flags: RemoveFlags, names: string[]): Promise<Result> {
  if (flags.filter !== undefined || flags.names !== undefined || flags.dryRun) return removeMany(context, flags, names);
  const typed = await requireNames(await namesOf(context, names), flags.file, 'domain remove');
  const { actor } = await context.open();
  const removeOne = async (name: string) => deleteDomain(actor, (await domainNamed(actor, name)).id);
  const result = await each(context, typed, oneByOne(removeOne));
  return { ...result, columns: showOnly(DETAIL_COLUMNS, 'domain_name', 'project_name') };
}

/** The outcomes in the order of the names: the domain, or the error that refused it. */
type WorkOnNames = (hosts: string[]) => Promise<(DomainView | AppError)[]>;

/** Turns work on one name into work on many, in which an error stops no other name. */
const oneByOne =
  (work: (host: string) => Promise<DomainView>): WorkOnNames =>
  async (hosts) => {
    const outcomes: (DomainView | AppError)[] = [];
    for (const host of hosts) {
      const outcome = await work(host).catch((thrown: unknown) => {
        if (!(thrown instanceof AppError)) throw thrown;
        return thrown;
      });
      outcomes.push(outcome);
    }
    return outcomes;
  };

/** Runs the work on the names. If none succeeded, the exit code is that of the first failure. */
async function each(context: Context, names: TypedName[], work: WorkOnNames): Promise<Result> {
  const { language } = context.asked;
  const hosts = hostsOf(names);
  const outcomes = await work(hosts);
  const items = outcomes.filter((outcome) => !(outcome instanceof AppError));
  const errors: ItemError[] = nameErrors(names, context);
  for (const [index, outcome] of outcomes.entries()) {
    if (!(outcome instanceof AppError)) continue;
    const { code, message } = failureOf(outcome, language);
    errors.push({ domain: hosts[index] ?? '', code, message });
  }
  const summary = { total: names.length, done: items.length, failed: errors.length };
  const result: Result = { items, summary, errors, ...endOfNames(context, names, errors) };
  const first = outcomes.find((outcome) => outcome instanceof AppError);
  if (!first || items.length > 0) return result;
  const failure = failureOf(first, language);
  return { ...result, failure, exit: failure.exit };
}
