import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import { helpFile } from './cli/prepared-help.ts';
import { catalogues, LANGUAGES } from './shared/i18n/catalogues.ts';

const DIST = join(import.meta.dirname, '../dist');
const OUT = join(DIST, 'cli');
const PACKAGES = join(import.meta.dirname, '../node_modules');
const NOTHING = join(import.meta.dirname, 'lib/nothing.ts');

/**
 * Smaller replacements of packages that Sequelize and Koa load: those published for browsers, one list of types instead of two, and
 * neither time zones (times are texts here) nor geometry nor the databases that are not ours.
 */
export const SMALLER = [
  { find: /^lodash$/, replacement: join(PACKAGES, 'lodash/lodash.min.js') },
  { find: /^moment$/, replacement: join(PACKAGES, 'moment/min/moment.min.js') },
  { find: /^validator$/, replacement: join(PACKAGES, 'validator/validator.min.js') },
  { find: /^moment-timezone$/, replacement: join(PACKAGES, 'moment-timezone/moment-timezone.js') },
  { find: /^mime-db$/, replacement: join(PACKAGES, 'mime-db/db.json') },
  { find: /^wkx$/, replacement: NOTHING },
  { find: /^\.\/dialects\/(db2|mariadb|mssql|mysql|oracle|snowflake)$/, replacement: NOTHING },
];

// Binaries, packages that look for files of their own, and what is rarely needed.
const APART = ['@photostructure/sqlite', 'bullmq', 'chalk', 'ink', 'pg', 'react', 'sqlite3', 'ssh2', 'umzug'];

const CHUNKS = { entryFileNames: '[name].js', chunkFileNames: '[name].js' };
// Entry of the child process that imports a blocklist.
const IMPORT_CHILD = { 'import-child': 'providers/blocklist/import-child.ts' };

// Node has less to read. Names of functions stay, for the stacks in the log.
const SHORT = { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } };

/** Leaves of the list of content types those that a browser sends or is given, an eighth: Koa reads and rates all of it as it starts. */
const commonTypes: Plugin = {
  name: 'common-types',
  load(id) {
    if (!id.endsWith('/mime-db/db.json')) return null;
    const all = Object.entries(JSON.parse(readFileSync(id, 'utf8')) as Record<string, { extensions?: string[] }>);
    const common = all.filter(([type, { extensions }]) => extensions && !/\/(?:vnd\.|x-|prs\.)/.test(type));
    return JSON.stringify(Object.fromEntries(common));
  },
};

/**
 * Puts the texts of each language beside the build as JSON: the sixty modules that make them take some 40 ms to load, half as long
 * as Node's own start. A command speaks one language, and reads it when it first needs a text. A server reads all as it starts: later
 * it may have no file descriptor left to say so with, or another version may have taken the place of the files.
 */
const textsRead = (when: 'at the start' | 'when needed'): Plugin => ({
  name: 'texts',
  load(id) {
    if (!id.endsWith('/i18n/catalogues.ts')) return null;
    const read = LANGUAGES.map((language) => `get ${language}() { return read('${language}'); }`);
    return `import { readFileSync } from 'node:fs';
      const texts = {};
      const read = (language) =>
        (texts[language] ??= JSON.parse(readFileSync(new URL(\`./texts-\${language}.json\`, import.meta.url), 'utf8')));
      export const LANGUAGES = ${JSON.stringify(LANGUAGES)};
      ${when === 'at the start' ? 'LANGUAGES.forEach(read);' : ''}
      export const catalogues = { ${read.join(', ')} };`;
  },
  generateBundle() {
    for (const language of LANGUAGES) {
      const source = JSON.stringify(catalogues[language]);
      this.emitFile({ type: 'asset', fileName: `texts-${language}.json`, source });
    }
  },
});

const building: InlineConfig = {
  root: import.meta.dirname,
  resolve: { alias: SMALLER },
  build: { ssr: true, outDir: OUT, target: 'node20.19', reportCompressedSize: false },
};

/** Keeps the program's own help as text beside the build: to be shown it needs neither commander nor the catalogue. Writes the man page. */
function prepareHelp(): void {
  for (const language of ['ru', 'en']) {
    const words = [join(OUT, 'index.js'), '--help', '--lang', language];
    writeFileSync(join(OUT, helpFile(language)), execFileSync(process.execPath, words));
  }
  // The page that the package gives to `man`.
  const page = execFileSync(process.execPath, [join(OUT, 'index.js'), 'help', 'man', '--lang', 'en']);
  writeFileSync(join(DIST, 'seo-admin.1'), page);
}

/**
 * Builds what the bin tries first, apart: CommonJS, because it is loaded in a fraction of the time, and without texts, because
 * what has to be said in words is left to the whole program.
 */
const buildQuick = (): Promise<unknown> =>
  build({
    ...building,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: [{ find: /^.*\/i18n\/index\.ts$/, replacement: join(import.meta.dirname, 'cli/no-texts.ts') }] },
    ssr: { noExternal: true },
    build: {
      ...building.build,
      emptyOutDir: false,
      rolldownOptions: {
        input: { quick: 'cli/quick.ts' },
        external: ['pg-hstore', ...APART],
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs', minify: SHORT },
      },
    },
  });

/**
 * Builds the program once more for `serve`, with all that a server needs in one file: from the many small ones that other
 * commands load a few of, it starts a fifth later.
 */
const buildServe = (): Promise<unknown> =>
  build({
    ...building,
    configFile: false,
    logLevel: 'error',
    plugins: [textsRead('at the start'), commonTypes],
    ssr: { noExternal: true, external: APART },
    build: {
      ...building.build,
      outDir: join(DIST, 'serve'),
      emptyOutDir: true,
      rolldownOptions: {
        input: { index: 'cli/index.ts', ...IMPORT_CHILD },
        external: ['pg-hstore'],
        output: {
          ...CHUNKS,
          minify: SHORT,
          codeSplitting: {
            groups: [
              {
                name: 'serve',
                test: /src\/(server|worker|lib\/log|cli\/(terminal\/asked|terminal\/color|terminal\/fit|program|output|run|(commands|actions)\/serve))\.ts$/,
              },
            ],
          },
        },
      },
    },
  });

/**
 * Builds the command line and all that it loads. Node takes a millisecond for every file that it imports, so what a
 * command needs anyway stands together in few files; what `import()` names stays apart, and is read only where it is
 * called for. Packages are built in as well, but for those of `APART`.
 */
export default defineConfig({
  ...building,
  plugins: [
    textsRead('when needed'),
    { name: 'prepared-help', closeBundle: prepareHelp },
    { name: 'quick', closeBundle: buildQuick },
    { name: 'serve', closeBundle: buildServe },
  ],
  ssr: { noExternal: true, external: [...APART, 'pino'] },
  build: {
    ...building.build,
    emptyOutDir: true,
    rolldownOptions: {
      input: { index: 'cli/index.ts', ...IMPORT_CHILD },
      // Sequelize asks for it where the database is PostgreSQL.
      external: ['pg-hstore'],
      // A module that many files load is often loaded with import(), too.
      checks: { ineffectiveDynamicImport: false },
      output: {
        ...CHUNKS,
        codeSplitting: {
          // Each with what it imports, unless that belongs to a group above it: the flags of every command, which the
          // program's own help needs alone; the tree of commands and its help; what
          // every command works with; what a failure needs; the check of a few names, which scripts call the most; the
          // database; the domains that flags select; the reading of a list.
          groups: [
            { name: 'asked', test: /src\/cli\/terminal\/(asked|color)\.ts$/, priority: 4 },
            { name: 'start', test: /src\/cli\/(program|output|terminal\/fit)\.ts$/, priority: 3 },
            {
              name: 'command',
              test: /src\/(cli\/(run|found\/named|names|numbers|selection)|shared\/time|shared\/operations|shared\/notices\/events|shared\/system\/work-kinds|shared\/triage\/kinds|lib\/measures|lib\/waits|lib\/lock-file|lib\/crash-point)\.ts$/,
              priority: 2,
            },
            { name: 'acting', test: /db\/acting\.ts$|src\/services\/access\/scope\.ts$/, priority: 3 },
            { name: 'check', test: /src\/cli\/(commands\/check|actions\/check\/blocked)\.ts$/, priority: 1 },
            { name: 'failure', test: /src\/lib\/(redact|database-trouble)\.ts$/, priority: 2 },
            { name: 'open', test: /src\/cli\/open\.ts$/, priority: 1 },
            { name: 'selected', test: /src\/cli\/selected\.ts$/ },
            { name: 'blocklist-update', test: /src\/services\/checks\/blocklist-update\.ts$/ },
          ],
        },
      },
    },
  },
});
