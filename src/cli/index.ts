import type { Command, CommanderError } from 'commander';
import { readAsked, type Asked } from './terminal/asked.ts';
import { decideColor } from './terminal/color.ts';
import { preparedHelp } from './prepared-help.ts';
import type { HelpTexts } from './texts/ru.ts';

/** Prints a text; in JSON formats as a field of the document. */
async function printText(field: string, text: string, asked: Asked): Promise<void> {
  const whole = text.trimEnd();
  if (asked.format !== 'json' && asked.format !== 'ndjson') {
    process.stdout.write(`${whole}\n`);
    return;
  }
  const { write } = await import('./output.ts');
  process.stdout.write(write('', { data: { [field]: whole } }, asked, (_field, cell) => cell));
}

/** Exits with 1 after a failed write to stdout, with the reason on stderr: the place for the answer is the caller's. */
async function endUnwritten(error: Error, { language }: Asked): Promise<void> {
  const { isInterrupted } = await import('./terminal/interrupt.ts');
  // A terminal that was closed takes nothing more; the command ends by its signal.
  if (isInterrupted()) return;
  const { failureOf } = await import('./failure.ts');
  process.stderr.write(`${failureOf(error, language).message}\n`);
  process.exit(1);
}

async function main(argv: string[]): Promise<void> {
  // New files, secrets among them, are readable by their owner only.
  process.umask(0o077);
  const asked = readAsked(argv, process.env);
  decideColor(asked);
  // The reader of the pipe may have closed it early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    void endUnwritten(error, asked);
  });
  // Talk that nobody reads any more must not end the work.
  process.stderr.on('error', () => undefined);
  if (argv.some((word) => word === '-V' || word === '--version')) {
    const { packageVersion } = await import('../lib/package.ts');
    await printText('version', packageVersion(), asked);
    return;
  }
  if (argv[0] === '__complete') {
    const { printValues } = await import('./actions/shell/values.ts');
    return printValues(argv.slice(1));
  }
  const prepared = preparedHelp(argv, asked);
  if (prepared !== undefined) {
    process.stdout.write(prepared);
    return;
  }
  const { buildProgram } = await import('./program.ts');
  const help: HelpTexts =
    asked.language === 'en' ? (await import('./texts/en.ts')).en : (await import('./texts/ru.ts')).ru;
  // A completion script needs the whole tree, and so does the man page.
  const isWhole = argv.includes('completion') || (argv[0] === 'help' && argv[1] === 'man');
  const program = await buildProgram(help, (noun) => isWhole || argv.includes(noun));
  let shown = '';
  const collect = (text: string): void => {
    shown += text;
  };
  const configure = (command: Command): void => {
    command.configureOutput({ writeOut: collect, writeErr: collect });
    command.commands.forEach(configure);
  };
  configure(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
    if (shown) await printText('help', shown, asked);
  } catch (thrown) {
    const { code, exitCode } = thrown as Partial<CommanderError>;
    if (code?.startsWith('commander.') && exitCode === 0) await printText('help', shown, asked);
    else {
      // A noun without a verb: prints the verbs.
      if (code === 'commander.help') process.stderr.write(`${shown}\n`);
      const { reportFailure } = await import('./run.ts');
      await reportFailure('', thrown, asked);
    }
  }
}

await main(process.argv.slice(2));
