import type { Command, Option } from 'commander';
import { packageVersion } from '../../../lib/package.ts';
import type { Context } from '../../context.ts';
import { wordsOf } from '../../help.ts';
import type { Result } from '../../output.ts';
import type { HelpTexts } from '../../texts/ru.ts';

// A line that begins with a dot or a quote would be a request; a hyphen of a flag has to stay one.
const roff = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/^(?=['.])/gm, String.raw`\&`);

const verbatim = (text: string): string => `.nf\n${roff(text)}\n.fi`;
const entry = (term: string, text: string): string => `.TP\n.B ${roff(term)}\n${roff(text)}`;

const describe = ({ description, defaultValue }: Option): string =>
  defaultValue === undefined || typeof defaultValue === 'boolean' ? description : `${description} (${defaultValue})`;

/** A command with its verbs, arguments, flags, examples and exit codes. */
function sectionOf(command: Command, help: HelpTexts): string[] {
  const words = wordsOf(command);
  const extra = (name: string): string | undefined => (help as Record<string, string | undefined>)[`${words}.${name}`];
  const usage = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const own = [
    `.SS "${roff([words, ...usage].join(' '))}"`,
    roff(command.description()),
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((argument) => entry(argument.name(), argument.description)),
    ...command.options.filter(({ hidden }) => !hidden).map((option) => entry(option.flags, describe(option))),
    ...['examples', 'exits'].flatMap((name) => {
      const text = extra(name);
      return text === undefined ? [] : ['.PP', verbatim(text)];
    }),
  ];
  return [...own, ...command.commands.flatMap((sub) => sectionOf(sub, help))];
}

/** `help man`: the page of the whole program, as `man` reads it. */
export async function manPage(
  _context: Context,
  { program, help }: { program: Command; help: HelpTexts },
): Promise<Result> {
  const topics = ['hosting', 'cron', 'exit-codes', 'environment'] as const;
  const [, about = ''] = help.about.split(': ');
  const text = [
    `.TH SEO\\-ADMIN 1 "" "seo\\-admin ${roff(packageVersion())}"`,
    `.SH ${roff(help.man_name)}`,
    `seo\\-admin \\- ${roff(about)}`,
    `.SH ${roff(help.man_synopsis)}`,
    `.B seo\\-admin\n${roff(help.usage_flags)} ${roff(help.usage_command)}`,
    `.SH ${roff(help.man_commands)}`,
    ...program.commands.flatMap((noun) => sectionOf(noun, help)),
    `.SH ${roff(help.man_flags)}`,
    ...program.options.map((option) => entry(option.flags, describe(option))),
    ...topics.flatMap((topic) => [`.SH ${roff(topic.toUpperCase())}`, verbatim(help[`topic.${topic}`])]),
  ].join('\n');
  return { data: { page: text }, text };
}
