import type { Command, Help, Option } from 'commander';
import type { HelpTexts } from './texts/ru.ts';

/** Returns the words of a command as typed, without the program's name. */
export const wordsOf = (command: Command): string =>
  command.parent ? `${wordsOf(command.parent)} ${command.name()}`.trim() : '';

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');

function list(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, text]) => `  ${term.padEnd(width)}  ${text}`).join('\n');
}

// Implicit defaults (a switch that is off, `--no-…`) are not shown.
const describe = ({ description, defaultValue }: Option): string =>
  defaultValue === undefined || typeof defaultValue === 'boolean' ? description : `${description} (${defaultValue})`;

/**
 * Formats the help of a command: purpose, examples, usage, subcommands and flags. Examples and exit codes come from the
 * catalogue, under the command's words with `.examples` and `.exits`.
 */
export function formatHelp(command: Command, layout: Help, help: HelpTexts): string {
  const words = wordsOf(command);
  const extra = (name: string): string | undefined =>
    (help as Record<string, string | undefined>)[`${words || 'root'}.${name}`];
  const operands = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((argument): [string, string] => [layout.argumentTerm(argument), argument.description]);
  const commands = layout
    .visibleCommands(command)
    .map((sub): [string, string] => [layout.subcommandTerm(sub).replace(' [options]', ''), sub.description()]);
  const options = layout
    .visibleOptions(command)
    .map((option): [string, string] => [layout.optionTerm(option), describe(option)]);
  const usage = layout
    .commandUsage(command)
    .replace('[options]', help.usage_flags)
    .replace('[command]', help.usage_command);
  const sections: [string, string | undefined][] = [
    [help.title_examples, extra('examples') && indent(extra('examples') ?? '')],
    [help.title_usage, `  ${usage}`],
    [help.title_arguments, operands.length > 0 ? list(operands) : undefined],
    [help.title_commands, commands.length > 0 ? list(commands) : undefined],
    [help.title_flags, list(options)],
    [help.title_exits, extra('exits') && indent(extra('exits') ?? '')],
  ];
  const shown = sections.flatMap(([title, body]) => (body ? [`${title}\n${body}`] : []));
  return `${[command.description(), ...shown, ...(words ? [help.common_flags] : [])].join('\n\n')}\n`;
}
