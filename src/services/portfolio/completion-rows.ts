import { select } from '../../../db/index.ts';
import { bindings, isAdmin, OWN, VISIBLE, type Actor } from '../access/scope.ts';

/** The kinds of values that a shell can complete: nouns of the command line. */
export const COMPLETED = [
  'domain',
  'project',
  'cloudflare',
  'server',
  'registrar',
  'xmlriver',
  'arsenkin',
  'group',
  'template',
  'user',
  'operation',
] as const;
export type Completed = (typeof COMPLETED)[number];

const MOST = 100;

const TABLES: Partial<Record<Completed, string>> = {
  cloudflare: 'cloudflare_accounts',
  server: 'servers',
  registrar: 'registrars',
  xmlriver: 'xmlriver_accounts',
  arsenkin: 'arsenkin_accounts',
  group: 'cloudflare_groups',
  template: 'templates',
};

function sourceOf(actor: Actor, kind: Completed, isUnicode: boolean): string {
  const named = TABLES[kind];
  if (named !== undefined) return `SELECT name AS value FROM ${named}`;
  if (kind === 'user') return `SELECT login AS value FROM users WHERE ${isAdmin(actor) ? '1=1' : 'id = $actor'}`;
  if (kind === 'project') return `SELECT p.name AS value FROM projects p WHERE ${VISIBLE.projects(actor)}`;
  if (kind === 'operation')
    return `SELECT CAST(o.id AS TEXT) AS value FROM operations o WHERE ${OWN.operations(actor)}`;
  return `SELECT d.${isUnicode ? 'unicode_name' : 'domain_name'} AS value FROM domains d LEFT JOIN projects p ON p.id = d.project_id
    WHERE ${VISIBLE.domains(actor)}`;
}

const HAS_OTHERS = /[^\0-\u007F]/;

/**
 * Returns names of a kind that an actor sees and that begin with a text, a hundred at most: domains as they are typed, in letters of any alphabet or
 * in punycode.
 */
export async function listCompletions(actor: Actor, kind: Completed, prefix: string): Promise<string[]> {
  const like = `${prefix.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = await select<{ value: string }>(
    `SELECT DISTINCT s.value FROM (${sourceOf(actor, kind, HAS_OTHERS.test(prefix))}) s
     WHERE s.value LIKE $like ESCAPE '\\' ORDER BY s.value LIMIT ${MOST}`,
    { like, ...bindings(actor) },
  );
  return rows.map(({ value }) => value);
}
