import { Argument, type Command } from 'commander';
import type { Result } from '../../output.ts';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const scripts = later(() => import('../../actions/shell/completion.ts'));

/** `completion`: a script for a shell. */
export function define(noun: Command, help: HelpTexts): void {
  noun.addArgument(new Argument('<shell>', help['completion.shell']).choices(['bash', 'zsh', 'fish'])).action(
    act(async (context, flags: object, shell: string): Promise<Result> => {
      const write = scripts('completionFor');
      return write(context, { ...flags, program: noun.parent } as never, shell as never);
    }),
  );
}
