import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const TOPICS = ['hosting', 'cron', 'exit-codes', 'environment'] as const;

const pages = later(() => import('../actions/shell/man.ts'));

/** `help`, of a command or on a topic; `help man` is the page of the whole program. */
export function define(noun: Command, help: HelpTexts): void {
  noun.argument('[words...]', help['help.words']).action(async (words: string[], flags: object, command: Command) => {
    if (words[0] === 'man')
      return act((context) => pages('manPage')(context, { program: noun.parent, help } as never))(flags, command);
    const topic = TOPICS.find((name) => name === words[0]);
    const program = noun.parent;
    if (topic) noun.configureOutput().writeOut?.(`${help[`topic.${topic}`]}\n`);
    else if (program) find(program, words).outputHelp();
    return undefined;
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
