import type { Command, Option } from 'commander';
import { wordsOf } from '../../help.ts';

/** A flag or an argument with the values that can follow it: known words, or names of a kind, for which the database is asked. */
export interface Values {
  list: readonly string[];
  kind: string | null;
}

/** A node of the command tree: the words that lead to it, the words that can follow, the names that it takes, and its flags with values. */
export interface Stop extends Values {
  words: string;
  flags: (Values & { names: string[] })[];
}

const DOMAIN_NOUNS = new Set(['check', 'why', 'domain', 'site', 'dns', 'rules', 'transfer', 'protect']);
const DOMAIN_ARGUMENTS = new Set(['names', 'name', 'source', 'target', 'main']);
// Commands whose names are new ones: no known name completes them.
const NEW = new Set(['domain add', 'name check']);
const NOUNS = new Set(['server', 'registrar', 'group', 'template', 'project']);
const ACCOUNTS = new Set(['cloudflare', 'xmlriver', 'arsenkin']);
const FLAGS: Readonly<Record<string, string>> = {
  '--project': 'project',
  '--account': 'cloudflare',
  '--server': 'server',
  '--registrar': 'registrar',
  '--group': 'group',
  '--template': 'template',
  '--as': 'user',
  '--user': 'user',
};
// A template of names is no template of a site, and the user of a server none of ours.
const OTHERS = new Set(['autobuy --template', 'server --user']);

/** Returns the kind of names that an argument takes; null: none that is known. */
function kindOf(words: string, argument: string): string | null {
  const [noun = ''] = words.split(' ');
  if (NEW.has(words)) return null;
  if (DOMAIN_NOUNS.has(noun) && DOMAIN_ARGUMENTS.has(argument)) return 'domain';
  if (argument === 'login') return 'user';
  if (argument === 'id' && noun === 'operation') return 'operation';
  if (ACCOUNTS.has(noun) && /^accounts?$/.test(argument)) return noun;
  const single = argument.replace(/s$/, '');
  return noun === single && NOUNS.has(single) ? single : null;
}

function flagOf(words: string, { long, short, argChoices = [], required, optional }: Option): Stop['flags'] {
  if (!required && !optional) return [];
  const [noun = ''] = words.split(' ');
  const kind = long && !OTHERS.has(`${noun} ${long}`) ? (FLAGS[long] ?? null) : null;
  return [{ names: [long, short].filter((name) => name !== undefined), list: argChoices, kind }];
}

/** Returns the nodes of a command and of those below it. */
export function stopsOf(command: Command): Stop[] {
  const words = wordsOf(command);
  const options = command.options.flatMap(({ hidden, long, short }) => (hidden ? [] : [long ?? short ?? '']));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const names = command.registeredArguments.map((argument) => kindOf(words, argument.name()));
  const list = [...command.commands.map((sub) => sub.name()), ...choices, ...options, '--help'];
  const kind = names.find((name) => name !== null) ?? null;
  const flags = command.options.flatMap((option) => flagOf(words, option));
  return [{ words, list, kind, flags }, ...command.commands.flatMap(stopsOf)];
}
