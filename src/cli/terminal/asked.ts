/** The formats of the output: `human` for a terminal, the others for programs. */
export const FORMATS = ['human', 'plain', 'json', 'ndjson', 'csv', 'tsv'] as const;
export type Format = (typeof FORMATS)[number];

/** The flags common to all commands. Read before the command line is parsed, so that its errors obey them, too. */
export interface Asked {
  format: Format;
  language: 'ru' | 'en';
  quiet: boolean;
  /** Whether escape sequences may be written to a stream that is a terminal. */
  color: boolean;
  /** Whether prompts are allowed. */
  input: boolean;
}

/** Returns the value of `--name value` or `--name=value`. */
function valueOf(argv: string[], name: string): string | undefined {
  const at = argv.lastIndexOf(name);
  return at >= 0 ? argv[at + 1] : argv.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The words before `--`. */
function wordsOf(argv: string[]): string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** The language of `--lang`, else of SEO_ADMIN_LANG. */
export const languageAsked = (argv: string[], env: NodeJS.ProcessEnv): string | undefined =>
  valueOf(wordsOf(argv), '--lang') || env['SEO_ADMIN_LANG'];

/** The first language of the two that is one, then the locale: Russian for `ru…` or if nothing is set, else English. */
function languageOf(argv: string[], env: NodeJS.ProcessEnv): Asked['language'] {
  for (const asked of [valueOf(wordsOf(argv), '--lang'), env['SEO_ADMIN_LANG']])
    if (asked === 'en' || asked === 'ru') return asked;
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'ru';
  return /^ru(?![a-z])/i.test(locale) ? 'ru' : 'en';
}

/** Reads the common flags at any position before `--`. */
export function readAsked(argv: string[], env: NodeJS.ProcessEnv): Asked {
  const words = wordsOf(argv);
  const has = (...names: string[]): boolean => names.some((name) => words.includes(name));
  const named = FORMATS.find((format) => format === valueOf(words, '--format'));
  const dumb = Boolean(env['NO_COLOR']) || Boolean(env['CI']) || env['TERM'] === 'dumb';
  return {
    format: has('--json') ? 'json' : has('--csv') ? 'csv' : (named ?? 'human'),
    language: languageOf(argv, env),
    // Short flags may stand together, as in `-qy`.
    quiet: has('--quiet') || words.some((word) => /^-y*q/.test(word)),
    color: !dumb && !has('--no-color'),
    input: !has('--no-input'),
  };
}
