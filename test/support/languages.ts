// Finds mixtures of languages in the product's texts.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';

export const CYRILLIC = /\p{Script=Cyrillic}/u;

/** Words typed on the command line that are neither commands nor flag values. */
const TYPED =
  'npm npx run build install ci node all active blocked broken expired hosting cron exit codes environment silent error warn info debug trace';

/** The API's own words beside those of the specification, and a text that exists in one language only. */
const OTHERS = ['Not found', 'Select project'];

const withoutNames = (text: string): string => text.replace(/\{[^}]*\}/g, '{}');
const verbatim = new Set([
  ...OTHERS,
  ...readFileSync(new URL('../corpus/strings.tsv', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => withoutNames(line.split('\t')[2] ?? '')),
]);

/** Returns whether the specification contains the text verbatim, whatever its language. */
export const isVerbatim = (text: string): boolean => verbatim.has(withoutNames(text));

/** Returns a command and all its descendants. */
export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** Returns the typed words of a command: its name, its flags and their values. */
function typedOf(command: Command): string[] {
  const flags = command.options.flatMap(({ long, argChoices = [] }) => (long ?? '').split('-').concat(argChoices));
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return command.name().split('-').concat(flags, values);
}

/** Returns a function that finds two consecutive English words of which one is never typed on the command line. */
export function sentenceFinder(program: Command): (text: string) => string | undefined {
  const words = new Set([...TYPED.split(' '), ...everyCommand(program).flatMap(typedOf)]);
  return (text) => {
    const runs =
      withoutNames(text).match(/(?<![\p{L}\d./<=@-])[A-Za-z][a-z']+(?:,? [a-z']{2,}(?![.\d=-]*\w))+/gu) ?? [];
    return runs.find((run) => run.split(/,? /).some((word) => !words.has(word.toLowerCase())));
  };
}
