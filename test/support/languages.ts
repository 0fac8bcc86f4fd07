// What counts as a mixture of languages in a text of the product.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';

export const CYRILLIC = /\p{Script=Cyrillic}/u;

/** What is no command of ours, nor a value of a flag, and stands in a text as it is typed. */
const TYPED =
  'npm npx run build install ci node all active blocked broken expired hosting cron exit codes environment silent error warn info debug trace';

/** The API's own words beside those of the specification, and a text that it has for one language. */
const OTHERS = ['Not found', 'Select project'];

const withoutNames = (text: string): string => text.replace(/\{[^}]*\}/g, '{}');
const verbatim = new Set([
  ...OTHERS,
  ...readFileSync(new URL('../corpus/strings.tsv', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => withoutNames(line.split('\t')[2] ?? '')),
]);

/** Whether the specification has a text as it is, whatever its language. */
export const isVerbatim = (text: string): boolean => verbatim.has(withoutNames(text));

/** A command and all below it. */
export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** What is typed of a command: its name, its flags and the values that they take. */
function typedOf(command: Command): string[] {
  const flags = command.options.flatMap(({ long, argChoices = [] }) => (long ?? '').split('-').concat(argChoices));
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return command.name().split('-').concat(flags, values);
}

/** Finds two English words one after the other, of which one is nothing that is typed on the command line. */
export function sentenceFinder(program: Command): (text: string) => string | undefined {
  const words = new Set([...TYPED.split(' '), ...everyCommand(program).flatMap(typedOf)]);
  return (text) => {
    const runs =
      withoutNames(text).match(/(?<![\p{L}\d./<=@-])[A-Za-z][a-z']+(?:,? [a-z']{2,}(?![.\d=-]*\w))+/gu) ?? [];
    return runs.find((run) => run.split(/,? /).some((word) => !words.has(word.toLowerCase())));
  };
}
