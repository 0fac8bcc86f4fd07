import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin, UserConfig } from 'vite';
import { textsInParts } from './texts.ts';

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

/** The members of a PostCSS rule that are used here. */
interface StyleRule {
  selectors: string[];
  remove: () => void;
}

// Of the span beside a file input, which has no placeholder, and of buttons beside a field without the focus.
const COSTLY = /file-upload-input[^,]*placeholder|\.bp6-input:not\(:focus\) \+/;

/**
 * Leaves out rules of Blueprint by which the browser computes the styles of all rows anew whenever one is added to a table: they
 * look at the neighbour of any element. Nothing is drawn by them: the kit's own styles of buttons come after them.
 */
const withoutCostlyRules = {
  postcssPlugin: 'without-costly-rules',
  Rule: (rule: StyleRule): void => {
    const kept = rule.selectors.filter((selector) => !COSTLY.test(selector));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  },
};

/** Files that become one chunk, by their paths; of two groups that take a file, the one with the higher priority has it. */
interface Group {
  name: string;
  test: RegExp | ((id: string) => boolean);
  priority: number;
}

interface Build {
  /** The files whose texts are loaded at once. */
  files: ReadonlyMap<string, string>;
  /** Whether there are others, whose texts are loaded later. */
  hasRest: boolean;
  groups: Group[];
  plugins: Plugin[];
}

// The first page names every file of the app, and of a name its hash alone takes room that no compression saves: 42 bits tell builds apart.
const HASHED = 'assets/[name]-[hash:7]';

/** Returns what the two builds of the interface have in common. */
export const buildOf = ({ files, hasRest, groups, plugins }: Build): UserConfig => ({
  root: join(import.meta.dirname, '..'),
  plugins: [react(), ...plugins, textsInParts(files, hasRest), preloadedFonts(), compressed()],
  css: { postcss: { plugins: [withoutCostlyRules] } },
  build: {
    outDir: '../dist/ui',
    // The content policy allows `data:` addresses for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        chunkFileNames: `${HASHED}.js`,
        entryFileNames: `${HASHED}.js`,
        assetFileNames: `${HASHED}[extname]`,
        codeSplitting: {
          // The styles of kit and frame: the same file in both builds, so that the app finds in the cache what the sign-in has loaded.
          groups: [{ name: 'look', test: /\/(?:kit\/kit|shell\/shell)\.css$/, priority: 4 }, ...groups],
        },
      },
    },
  },
});
