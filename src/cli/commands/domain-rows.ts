import type { Actor } from '../../services/scope.ts';
import type { DomainView } from '../../shared/domains.ts';
import { AppError } from '../../shared/errors.ts';
import { cleanHostname } from '../../shared/hostname.ts';
import type { Context } from '../context.ts';
import { endOfNames, hostsOf, nameErrors, requireNames, type TypedName } from '../names.ts';
import type { Column, ItemError, Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { selectionOf, type SelectionFlags } from '../selection.ts';

interface ListFlags extends SelectionFlags {
  type?: 'main' | 'transfer';
  search?: string;
}

interface AddFlags {
  file?: string;
  project?: string;
  type?: string;
}

const COLUMNS: Column[] = [
  { field: 'domain_name', title: 'domain' },
  { field: 'project_name', title: 'project' },
  { field: 'type', title: 'type' },
  { field: 'status', title: 'status' },
  { field: 'http_status_code', title: 'code' },
  { field: 'http_error', title: 'error' },
  { field: 'expired_at', title: 'expires', show: (value) => (value as string | null)?.slice(0, 10) ?? '' },
];

/** `domain list`: everything, or what the flags select. */
export async function list(context: Context, flags: ListFlags): Promise<Result> {
  const { actor } = await context.open();
  const [{ listDomains }, { parseJsonText }] = await Promise.all([
    import('../../services/domain-lists.ts'),
    import('../../services/json.ts'),
  ]);
  const { type, search } = flags;
  const selection = { ...(await selectionOf(actor, flags)), ...(type ? { type } : {}) };
  const { data } = parseJsonText(await listDomains(actor, selection, search ? { search } : {}));
  return { items: data, columns: COLUMNS, summary: { total: data.length } };
}

/** `domain show`, by name. */
export async function show(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const view = await (await finder())(actor, name);
  const lines = Object.entries(view).flatMap(([field, value]) => (value === null ? [] : [`${field}: ${value}`]));
  return { data: view, text: lines.join('\n') };
}

type Finder = (actor: Actor, name: string) => Promise<DomainView>;

/** Finds a domain by a name as it is typed. */
async function finder(): Promise<Finder> {
  const { findDomainByName } = await import('../../services/domain-lists.ts');
  return (actor, name) => findDomainByName(actor, cleanHostname(name));
}

/** `domain add`: a name that is taken does not keep the others out. */
export async function add(context: Context, flags: AddFlags, names: string[]): Promise<Result> {
  const typed = await requireNames(names, flags.file, 'domain add');
  const { actor } = await context.open();
  const { addDomains, AddedAlike } = await import('../../services/domain-adding.ts');
  const { project_id } = await selectionOf(actor, flags.project === undefined ? {} : { project: flags.project });
  const alike = parseInput(AddedAlike, { project_id, type: flags.type });
  const result = await each(context, typed, (hosts) => addDomains(actor, hosts, alike));
  return { ...result, columns: COLUMNS };
}

/** `domain remove`: asks nothing, because a domain can be brought back for 30 days. */
export async function remove(context: Context, flags: { file?: string }, names: string[]): Promise<Result> {
  const typed = await requireNames(names, flags.file, 'domain remove');
  const { actor } = await context.open();
  const [{ deleteDomain }, find] = await Promise.all([import('../../services/domains.ts'), finder()]);
  const removeOne = async (name: string) => deleteDomain(actor, (await find(actor, name)).id);
  const result = await each(context, typed, oneByOne(removeOne));
  return { ...result, columns: COLUMNS.slice(0, 2) };
}

/** What became of names, in their order: the domain, or why it was refused. */
type WorkOnNames = (hosts: string[]) => Promise<(DomainView | AppError)[]>;

/** Work on one name as work on many, so that what is refused keeps no other one out. */
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

/** Does something to the names. Where nothing could be done, the exit code is that of the first failure. */
async function each(context: Context, names: TypedName[], work: WorkOnNames): Promise<Result> {
  const { failureOf } = await import('../failure.ts');
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
