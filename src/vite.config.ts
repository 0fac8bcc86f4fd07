import { defineConfig } from 'vite';

/**
 * Builds the command line and all that it loads. Node takes a millisecond for every file that it imports, so what a
 * command needs anyway stands together in few files; what `import()` names stays apart, and is read only where it is
 * called for. Packages are loaded from node_modules, but for the two that a command can't start without.
 */
export default defineConfig({
  root: import.meta.dirname,
  ssr: { noExternal: ['commander', 'punycode'] },
  build: {
    ssr: 'cli/index.ts',
    outDir: '../dist/cli',
    emptyOutDir: true,
    target: 'node20.19',
    reportCompressedSize: false,
    rolldownOptions: {
      // A module that many files load is often loaded with import(), too.
      checks: { ineffectiveDynamicImport: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        codeSplitting: {
          // Each with what it imports, unless that belongs to a group above it: the tree of commands and its help; what
          // every command works with; the check of a few names, which scripts call the most.
          groups: [
            { name: 'start', test: /src\/cli\/(program|output)\.ts$/, priority: 3 },
            { name: 'command', test: /src\/cli\/(run|names|numbers|selection)\.ts$/, priority: 2 },
            { name: 'check', test: /src\/cli\/commands\/check-blocked\.ts$/, priority: 1 },
          ],
        },
      },
    },
  },
});
