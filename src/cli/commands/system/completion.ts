import { Argument, type Command } from 'commander';
import { wordsOf } from '../../help.ts';
import type { Result } from '../../output.ts';
import { act } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `completion`: a script that contains all words, so that pressing Tab starts no Node process. */
export function define(noun: Command, help: HelpTexts): void {
  noun.addArgument(new Argument('<shell>', help['completion.shell']).choices(SHELLS)).action(
    act(async (_context, _flags: object, shell: Shell): Promise<Result> => {
      const script = WRITERS[shell](noun.parent ? stopsOf(noun.parent) : []);
      return { data: { shell, script }, text: script };
    }),
  );
}

/** A node of the command tree: the words that lead to it, and the words that can follow. */
interface Stop {
  words: string;
  next: string[];
}

function stopsOf(command: Command): Stop[] {
  const options = command.options.flatMap(({ hidden, long, short }) => (hidden ? [] : [long ?? short ?? '']));
  const next = [...command.commands.map((sub) => sub.name()), ...options, '--help'];
  return [{ words: wordsOf(command), next }, ...command.commands.flatMap(stopsOf)];
}

const quoted = (text: string): string => `'${text}'`;

/** The branches of a shell's `case`: the known word sequences, and the completions of each. */
const branches = (stops: Stop[]) => ({
  known: stops.flatMap(({ words }) => (words ? [quoted(words)] : [])).join('|'),
  lists: stops.map(({ words, next }) => `    ${quoted(words)}) list=${quoted(next.join(' '))} ;;`).join('\n'),
});

function bash(stops: Stop[]): string {
  const { known, lists } = branches(stops);
  return `# seo-admin completion bash > /etc/bash_completion.d/seo-admin
_seo_admin() {
  local trail='' next list i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${trail:+$trail }\${COMP_WORDS[i]}"
    case "$next" in ${known}) trail="$next" ;; esac
  done
  case "$trail" in
${lists}
  esac
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _seo_admin seo-admin`;
}

function zsh(stops: Stop[]): string {
  const { known, lists } = branches(stops);
  return `#compdef seo-admin
# seo-admin completion zsh > "\${fpath[1]}/_seo-admin"
_seo_admin() {
  local trail='' next list word
  for word in \${words[2,CURRENT-1]}; do
    next="\${trail:+$trail }$word"
    case "$next" in (${known}) trail="$next" ;; esac
  done
  case "$trail" in
${lists.replace(/^ {4}'/gm, "    ('")}
  esac
  compadd -- \${=list}
  _files
}
compdef _seo_admin seo-admin`;
}

function fish(stops: Stop[]): string {
  const known = stops.flatMap(({ words }) => (words ? [quoted(words)] : [])).join(' ');
  const lines = stops.map(
    ({ words, next }) =>
      `complete -c seo-admin -n "test (__seo_admin_trail) = '${words}'" -a ${quoted(next.join(' '))}`,
  );
  return `# seo-admin completion fish > ~/.config/fish/completions/seo-admin.fish
function __seo_admin_trail
  set -l trail ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$trail $word")
    contains -- "$next" ${known}; and set trail "$next"
  end
  echo "$trail"
end
${lines.join('\n')}`;
}

const WRITERS: Record<Shell, (stops: Stop[]) => string> = { bash, zsh, fish };
