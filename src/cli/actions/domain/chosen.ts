import type { Actor } from '../../../services/access/scope.ts';
import { teamRowNamed } from '../../../services/accounts/team.ts';
import { projectNamed } from '../../../services/portfolio/projects.ts';
import { Selection } from '../../../shared/portfolio/domain-selection.ts';
import { usageError, type Context } from '../../context.ts';
import { namesOf } from '../../found/named.ts';
import { hostsOf, requireNames, type TypedName } from '../../names.ts';
import { parseInput } from '../../parse.ts';

/** The flags that choose many domains. */
export interface ChosenFlags {
  file?: string;
  names?: string;
  filter?: string;
}

/** Chosen domains, and the typed names where names choose; undefined: none of those is a host. */
export interface ChosenDomains {
  selection: Selection | undefined;
  typed: TypedName[];
}

/** How a word of `--filter` becomes a field of the filter. */
const FIELDS: Record<string, (actor: Actor, value: string) => Promise<object> | object> = {
  status: (_, status) => ({ status }),
  project: async (actor, name) => ({ project_id: (await projectNamed(actor, name)).id }),
  server: async (_, name) => ({ server_id: (await teamRowNamed('servers', name)).id }),
  registrar: async (_, name) => ({ registrars_id: (await teamRowNamed('registrars', name)).id }),
  type: (_, type) => ({ type }),
  search: (_, search) => ({ search }),
  expiry: (_, expiry) => ({ expiry }),
  'expires-from': (_, expires_from) => ({ expires_from }),
  'expires-to': (_, expires_to) => ({ expires_to }),
};

/** Reads `status=blocked,project=Радуга`; `all` is the whole portfolio. Throws a usage error for an unknown word. */
async function filterOf(actor: Actor, text: string): Promise<object> {
  if (text.trim() === 'all') return {};
  const filter = {};
  for (const word of text.split(',')) {
    const [name = '', ...rest] = word.split('=');
    const field = Object.hasOwn(FIELDS, name.trim()) ? FIELDS[name.trim()] : undefined;
    const value = rest.join('=').trim();
    if (!field || value === '') throw usageError('cli.bad_filter', { word, known: Object.keys(FIELDS).join(', ') });
    Object.assign(filter, await field(actor, value));
  }
  return filter;
}

/**
 * Returns the domains that a command is about: by a filter, or by names as arguments, by `--names`, `--file` or a pipe. Throws a usage error
 * for both, and for none.
 */
export async function chosenOf(
  context: Context,
  actor: Actor,
  { file, names: listed, filter }: ChosenFlags,
  names: string[],
  command: string,
): Promise<ChosenDomains> {
  if (filter !== undefined) {
    if (names.length > 0 || file !== undefined || listed !== undefined)
      throw usageError('cli.conflict', { reason: '--filter; NAME, --names, --file' });
    return { selection: parseInput(Selection, { filter: await filterOf(actor, filter) }), typed: [] };
  }
  const typed = await requireNames(
    await namesOf(context, [...names, ...(listed === undefined ? [] : [listed])]),
    file,
    command,
  );
  const hosts = hostsOf(typed);
  return { selection: hosts.length === 0 ? undefined : parseInput(Selection, { names: hosts }), typed };
}
