import type { Actor } from '../../services/access/scope.ts';
import type { DomainDetail, DomainView } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import { cleanHostname } from '../../shared/hostname.ts';
import type { Context } from '../context.ts';
import { endOfNames, hostsOf, nameErrors, requireNames, type TypedName } from '../names.ts';
import { columnsOf, showOnly, type ItemError, type Result } from '../output.ts';
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

/** The fields of a domain in lists. */
export const COLUMNS = columnsOf<DomainView>({
  domain_name: 'domain',
  project_name: 'project',
  type: true,
  status: true,
  http_status_code: 'code',
  http_error: 'error',
  expired_at: { title: 'expires', show: (value) => (value as string | null)?.slice(0, 10) ?? '' },
  id: false,
  unicode_name: false,
  file_path: false,
  transfer_type: false,
  transfer_dns: false,
  server_id: false,
  server_name: false,
  server_ip: false,
  cloudflare_account_id: false,
  cloudflare_account_name: false,
  registrars_id: false,
  registrar_type: false,
  project_id: false,
  user_login: false,
  template_id: false,
  block_entry: false,
  last_block_check_at: false,
  last_http_check_at: false,
  google_indexation: false,
  yandex_indexation: false,
  last_check_indexation: false,
  created_at: false,
  updated_at: false,
});
/** The fields of a single domain. */
const DETAIL_COLUMNS = [
  ...COLUMNS,
  ...columnsOf<Omit<DomainDetail, keyof DomainView>>({ html_file: false, release: false, deployed_at: false }),
];

/** `domain list`: all domains, or those that the flags select. */
export async function list(context: Context, flags: ListFlags): Promise<Result> {
  const { actor } = await context.open();
  const [{ listDomains }, { parseJsonText }] = await Promise.all([
    import('../../services/portfolio/domain-lists.ts'),
    import('../../services/portfolio/json.ts'),
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

/** Returns a function that finds a domain by a typed name. */
async function finder(): Promise<Finder> {
  const { findDomainByName } = await import('../../services/portfolio/domain-lists.ts');
  return (actor, name) => findDomainByName(actor, cleanHostname(name));
}

/** `domain add`: a name that is taken does not stop the others. */
export async function add(context: Context, flags: AddFlags, names: string[]): Promise<Result> {
  const typed = await requireNames(names, flags.file, 'domain add');
  const { actor } = await context.open();
  const { addDomains, AddedAlike } = await import('../../services/portfolio/domain-adding.ts');
  const { project_id } = await selectionOf(actor, flags.project === undefined ? {} : { project: flags.project });
  const alike = parseInput(AddedAlike, { project_id, type: flags.type });
  const result = await each(context, typed, (hosts) => addDomains(actor, hosts, alike));
  return { ...result, columns: DETAIL_COLUMNS };
}

/** `domain remove`: no confirmation, because a removed domain can be restored for 30 days. */
export async function remove(context: Context, flags: { file?: string }, names: string[]): Promise<Result> {
  const typed = await requireNames(names, flags.file, 'domain remove');
  const { actor } = await context.open();
  const [{ deleteDomain }, find] = await Promise.all([import('../../services/portfolio/domains.ts'), finder()]);
  const removeOne = async (name: string) => deleteDomain(actor, (await find(actor, name)).id);
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
