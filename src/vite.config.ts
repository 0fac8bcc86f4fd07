import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, defineConfig } from 'vite';
import { helpFile } from './cli/prepared-help.ts';

const OUT = join(import.meta.dirname, '../dist/cli');

/** Keeps the program's own help as text beside the build: to be shown it needs neither commander nor the catalogue. */
function prepareHelp(): void {
  for (const language of ['ru', 'en']) {
    const words = [join(OUT, 'index.js'), '--help', '--lang', language];
    writeFileSync(join(OUT, helpFile(language)), execFileSync(process.execPath, words));
  }
}

/**
 * Builds what the bin tries first, apart: CommonJS, because it is loaded in a fraction of the time, and without texts, because
 * what has to be said in words is left to the whole program.
 */
async function buildQuick(): Promise<void> {
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    resolve: {
      alias: [
        {
          find: /^(?:.*\/i18n\/index|\.\/i18n\/index)\.ts$/,
          replacement: join(import.meta.dirname, 'cli/no-texts.ts'),
        },
      ],
    },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: OUT,
      emptyOutDir: false,
      target: 'node20.19',
      rolldownOptions: {
        input: { quick: 'cli/quick.ts' },
        external: ['pg-hstore'],
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
      },
    },
  });
}

/**
 * Builds the command line and all that it loads. Node takes a millisecond for every file that it imports, so what a
 * command needs anyway stands together in few files; what `import()` names stays apart, and is read only where it is
 * called for. Packages are built in as well, but for those that are binaries, that look for files of their own, or that are
 * rarely needed.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    { name: 'prepared-help', closeBundle: prepareHelp },
    { name: 'quick', closeBundle: buildQuick },
  ],
  ssr: {
    noExternal: true,
    external: ['@photostructure/sqlite', 'chalk', 'ink', 'pino', 'react', 'sqlite3', 'ssh2', 'umzug'],
  },
  build: {
    ssr: true,
    outDir: OUT,
    emptyOutDir: true,
    target: 'node20.19',
    reportCompressedSize: false,
    rolldownOptions: {
      // The second one is the process that reads a blocklist for a server.
      input: { index: 'cli/index.ts', 'import-child': 'providers/blocklist/import-child.ts' },
      // Sequelize asks for it where the database is PostgreSQL.
      external: ['pg-hstore'],
      // A module that many files load is often loaded with import(), too.
      checks: { ineffectiveDynamicImport: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        codeSplitting: {
          // Each with what it imports, unless that belongs to a group above it: the flags of every command, which the
          // program's own help needs alone; the tree of commands and its help; what
          // every command works with; the check of a few names, which scripts call the most.
          groups: [
            { name: 'asked', test: /src\/cli\/(asked|color)\.ts$/, priority: 4 },
            { name: 'start', test: /src\/cli\/(program|output)\.ts$/, priority: 3 },
            { name: 'command', test: /src\/cli\/(run|names|numbers|selection)\.ts$/, priority: 2 },
            { name: 'check', test: /src\/cli\/commands\/check-blocked\.ts$/, priority: 1 },
          ],
        },
      },
    },
  },
});
