import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { ofFirst, ofSignIn } from './vite/first.ts';
import { textsInParts } from './vite/texts.ts';

/** Writes `.br` and `.gz` files beside every text file of the build, which the server sends as they are. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter((name) => /\.(html|js|css|svg|json)$/.test(name));
    await Promise.all(
      texts.map(async (name) => {
        const file = join(dir, name);
        const text = await readFile(file);
        await writeFile(`${file}.br`, await promisify(brotliCompress)(text));
        await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
      }),
    );
  },
});

/** Leaves out Blueprint's loader of icons by name, which would bundle all of them; icons are imported as components. */
const noIconsByName = (): Plugin => ({
  name: 'no-icons-by-name',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('@blueprintjs/icons/lib/esm/iconLoader.js')
      ? 'export const Icons = { getPaths: () => undefined, load: async () => undefined };'
      : undefined,
});

/** Preloads the fonts with the page, so that text is not rendered twice. */
const preloadedFonts = (): Plugin => ({
  name: 'preloaded-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => name.endsWith('.woff2'))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
          injectTo: 'head',
        })),
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), noIconsByName(), textsInParts(), preloadedFonts(), compressed()],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    // The content policy allows `data:` addresses for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Few large files: the page that most people open first comes in four.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            { name: 'sign-in', test: (id) => ofSignIn.has(id), priority: 2 },
            { name: 'dashboard', test: (id) => ofFirst.has(id), priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4180' } },
});
