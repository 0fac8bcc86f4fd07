import type { Command } from 'commander';
import type { HelpTexts } from '../texts/ru.ts';

const TOPICS = ['hosting', 'cron', 'exit-codes', 'environment'] as const;

/** `help`, of a command or on a topic. */
export function define(noun: Command, help: HelpTexts): void {
  noun.argument('[words...]', help['help.words']).action((words: string[]) => {
    const topic = TOPICS.find((name) => name === words[0]);
    const program = noun.parent;
    if (topic) noun.configureOutput().writeOut?.(`${help[`topic.${topic}`]}\n`);
    else if (program) find(program, words).outputHelp();
  });
}

/** Returns the command of the words; reports an unknown one as commander would. */
function find(program: Command, words: string[]): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((sub) => sub.name() === word);
    if (!next) command.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' });
    else command = next;
  }
  return command;
}
