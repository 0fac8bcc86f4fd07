import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { stopsOf, type Stop, type Values } from './stops.ts';

const quoted = (text: string): string => `'${text}'`;

/** Returns the assignments of a branch. */
const set = ({ list, kind }: Values): string =>
  [...(list.length > 0 ? [`list=${quoted(list.join(' '))}`] : []), ...(kind === null ? [] : [`kind=${kind}`])].join(
    ' ',
  ) || ':';

interface Branches {
  /** The known word sequences. */
  known: string;
  /** By word sequence, what can follow it. */
  stops: [pattern: string, set: string][];
  /** By word sequence and flag, what can follow that. */
  flags: [pattern: string, set: string][];
}

/** Flags of the program itself may follow every word. */
function branchesOf(stops: Stop[]): Branches {
  const known = stops.flatMap(({ words }) => (words ? [quoted(words)] : [])).join('|');
  const withValues = stops.flatMap(({ words, flags }) =>
    flags
      .filter(({ list, kind }) => list.length > 0 || kind !== null)
      .map(({ names, ...values }): [string, string] => [
        names.map((name) => (words === '' ? `*' ${name}'` : quoted(`${words} ${name}`))).join('|'),
        set(values),
      ]),
  );
  return {
    known,
    stops: stops.map((stop) => [quoted(stop.words), set(stop)]),
    flags: [
      ...withValues.filter(([pattern]) => !pattern.startsWith('*')),
      ...withValues.filter(([pattern]) => pattern.startsWith('*')),
    ],
  };
}

const lines = (branches: [string, string][], open: string): string =>
  branches.map(([pattern, values]) => `    ${open}${pattern}) ${values} ;;`).join('\n');

function bash(stops: Stop[]): string {
  const { known, ...cases } = branchesOf(stops);
  return `# seo-admin completion bash > /etc/bash_completion.d/seo-admin
_seo_admin() {
  local trail='' next list='' kind='' i value
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${trail:+$trail }\${COMP_WORDS[i]}"
    case "$next" in ${known}) trail="$next" ;; esac
  done
  case "$trail $prev" in
${lines(cases.flags, '')}
    *)
  case "$trail" in
${lines(cases.stops, '')}
  esac
    ;;
  esac
  COMPREPLY=($(compgen -W "$list" -- "$cur"))
  if [[ -n "$kind" && "$cur" != -* ]]; then
    while IFS= read -r value; do
      [[ -n "$value" ]] && COMPREPLY+=("$(printf %q "$value")")
    done < <("\${COMP_WORDS[0]}" __complete "$kind" "$cur" "\${COMP_WORDS[@]:1}" 2>/dev/null)
  fi
}
complete -o default -F _seo_admin seo-admin`;
}

function zsh(stops: Stop[]): string {
  const { known, ...cases } = branchesOf(stops);
  return `#compdef seo-admin
# seo-admin completion zsh > "\${fpath[1]}/_seo-admin"
_seo_admin() {
  local trail='' next list='' kind='' word
  local -a found
  for word in \${words[2,CURRENT-1]}; do
    next="\${trail:+$trail }$word"
    case "$next" in (${known}) trail="$next" ;; esac
  done
  case "$trail \${words[CURRENT-1]}" in
${lines(cases.flags, '(')}
    (*)
  case "$trail" in
${lines(cases.stops, '(')}
  esac
    ;;
  esac
  compadd -- \${=list}
  if [[ -n "$kind" && "$PREFIX" != -* ]]; then
    found=("\${(@f)$("\${words[1]}" __complete "$kind" "$PREFIX" "\${(@)words[2,-1]}" 2>/dev/null)}")
    compadd -- \${found:#}
  fi
  _files
}
compdef _seo_admin seo-admin`;
}

function fish(stops: Stop[]): string {
  const known = stops.flatMap(({ words }) => (words ? [quoted(words)] : [])).join(' ');
  const ask = (kind: string): string => `-f -a "(__seo_admin_values ${kind})"`;
  const told = ({ list, kind }: Values): string[] => [
    ...(list.length > 0 ? [`-a ${quoted(list.join(' '))}`] : []),
    ...(kind === null ? [] : [ask(kind)]),
  ];
  const at = stops.flatMap((stop) =>
    told(stop).map((values) => `complete -c seo-admin -n "__seo_admin_at '${stop.words}'" ${values}`),
  );
  const after = stops.flatMap(({ words, flags }) =>
    flags.flatMap(({ names, ...values }) =>
      told(values).map(
        (value) => `complete -c seo-admin -n "__seo_admin_after '${words}' ${names.join(' ')}" ${value}`,
      ),
    ),
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
function __seo_admin_at
  test (__seo_admin_trail) = "$argv[1]"
end
function __seo_admin_after
  contains -- (commandline -opc)[-1] $argv[2..-1]; and begin; test -z "$argv[1]"; or __seo_admin_at "$argv[1]"; end
end
function __seo_admin_values
  set -l line (commandline -opc)
  command -q $line[1]; or return
  $line[1] __complete $argv[1] (commandline -ct) $line[2..-1] 2>/dev/null
end
${[...at, ...after].join('\n')}`;
}

const WRITERS: Readonly<Record<string, (stops: Stop[]) => string>> = { bash, zsh, fish };

/**
 * `completion SHELL`: a script that contains all words, so that pressing Tab starts no Node process, but for names that only the database knows.
 */
export async function completionFor(
  _context: Context,
  { program }: { program: Command },
  shell: string,
): Promise<Result> {
  const script = WRITERS[shell]?.(stopsOf(program)) ?? '';
  return { data: { shell, script }, text: script };
}
