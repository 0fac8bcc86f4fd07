import { generateNames } from '../../shared/names/name-generator.ts';
import { checkTemplate } from '../../shared/names/name-template.ts';
import { checkDomainName } from '../../shared/portfolio/domain-name.ts';
import { requireKnown, usageError, type Context } from '../context.ts';
import { readWords } from '../names.ts';
import { columnsOf, type Result } from '../output.ts';

/** `name check`. Names given as arguments are checked unchanged, including blanks: finding those is the helper's purpose. */
export async function check(context: Context, { file }: { file?: string }, names: string[]): Promise<Result> {
  await requireKnown(context);
  const typed = names.length > 0 && !names.includes('-') && file === undefined ? names : await readWords(names, file);
  if (typed === null) throw usageError('cli.no_names', { command: 'name check' });
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

/** `name check-template`: exit 1 for a wrong template. */
export async function checkNameTemplate(context: Context, _flags: object, template: string): Promise<Result> {
  await requireKnown(context);
  const { valid, errors, warnings, estimatedCombinations } = checkTemplate(template);
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

/** `name generate`: prints one name per line without a heading, so that the output can be piped. */
export async function generate(
  context: Context,
  { count, unique, seed }: GenerateFlags,
  template: string,
): Promise<Result> {
  await requireKnown(context);
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
