import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { usageError } from '../context.ts';
import { readWords } from '../names.ts';
import { wholeNumber } from '../numbers.ts';
import { columnsOf, type Result } from '../output.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const MOST_NAMES = 10_000_000;

/** `name check|check-template|generate`: the domain-name helper. Needs neither database nor configuration. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('check')
    .description(help['name check'])
    .argument('[names...]', help.names)
    .option('-f, --file <file>', help.file)
    .action(act(check));
  noun
    .command('check-template')
    .description(help['name check-template'])
    .argument('<template>', help['name.template'])
    .action(act(checkTemplate));
  noun
    .command('generate')
    .description(help['name generate'])
    .argument('<template>', help['name.template'])
    .option('--count <n>', help['name.count'], wholeNumber(1, MOST_NAMES), 5)
    .option('--unique', help['name.unique'])
    .option('--seed <n>', help['name.seed'], wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .action(act(generate));
}

/** Names given as arguments are checked unchanged, including blanks: finding those is the helper's purpose. */
async function check(context: Context, { file }: { file?: string }, names: string[]): Promise<Result> {
  const typed = names.length > 0 && !names.includes('-') && file === undefined ? names : await readWords(names, file);
  if (typed === null) throw usageError('cli.no_names', { command: 'name check' });
  const { checkDomainName } = await import('../../shared/portfolio/domain-name.ts');
  const items = typed.map((domain) => {
    const { valid, errors } = checkDomainName(domain);
    return { domain, valid, errors: errors.map((key) => context.say(key)), codes: errors };
  });
  const columns = columnsOf<(typeof items)[number]>({
    domain: true,
    valid: true,
    errors: { title: 'errors', show: (errors) => (errors as string[]).join('; ') },
    codes: false,
  });
  const valid = items.filter((item) => item.valid).length;
  return { items, columns, summary: { total: items.length, valid, invalid: items.length - valid } };
}

async function checkTemplate(context: Context, _flags: object, template: string): Promise<Result> {
  const helper = await import('../../shared/names/name-template.ts');
  const { valid, errors, warnings, estimatedCombinations } = helper.checkTemplate(template);
  const data = {
    template,
    valid,
    errors: errors.map((key) => context.say(key)),
    warnings: warnings.map((key) => context.say(key)),
    codes: [...errors, ...warnings],
    estimatedCombinations,
  };
  if (!valid) {
    const failure = { exit: 1, code: 'bad_template', message: data.errors.join('; ') } as const;
    return { exit: 1, data, text: data.warnings.join('\n'), failure };
  }
  const combinations = context.say('cli.combinations', { count: estimatedCombinations });
  return { data, text: [...data.warnings, combinations].join('\n') };
}

interface GenerateFlags {
  count: number;
  unique?: boolean;
  seed?: number;
}

/** Prints one name per line without a heading, so that the output can be piped. */
async function generate(context: Context, { count, unique, seed }: GenerateFlags, template: string): Promise<Result> {
  const { generateNames } = await import('../../shared/names/name-generator.ts');
  const { names, exhausted, total, exact } = generateNames(template, {
    count,
    unique: unique ?? false,
    ...(seed === undefined ? {} : { seed }),
  });
  if (names.length < count) context.talk(context.say('cli.fewer_names', { count: names.length }));
  // A number beyond 2^53 would lose precision.
  const combinations = total <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : String(total);
  return {
    items: names.map((domain) => ({ domain })),
    columns: columnsOf<{ domain: string }>({ domain: true }),
    summary: { total: names.length, exhausted, combinations, exact },
    text: names.join('\n'),
  };
}
