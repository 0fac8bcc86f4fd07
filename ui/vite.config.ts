import { defineConfig, mergeConfig, type Plugin } from 'vite';
import { buildOf } from './vite/build.ts';
import { ofBegin, ofFirst } from './vite/first.ts';
import { signInInDevelopment } from './vite/signInPage.ts';

/** Leaves out Blueprint's loader of icons by name, which would bundle all of them; icons are imported as components. */
const noIconsByName = (): Plugin => ({
  name: 'no-icons-by-name',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('@blueprintjs/icons/lib/esm/iconLoader.js')
      ? 'export const Icons = { getPaths: () => undefined, load: async () => undefined };'
      : undefined,
});

/** Preloads with the page what its first script asks for: who comes from the sign-in has none of it, and waits for it. */
const preloaded = (): Plugin => ({
  name: 'preloaded',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /^assets\/(?:react|dashboard|look)-[^/]+\.(?:js|css)$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: name.endsWith('.js')
            ? { rel: 'modulepreload', href: `/${name}`, crossorigin: true }
            : { rel: 'preload', as: 'style', href: `/${name}`, crossorigin: true },
          injectTo: 'head',
        })),
  },
});

// Few large files: the page that most people open first comes in four.
const GROUPS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
  { name: 'begin', test: (id: string) => ofBegin.has(id), priority: 2 },
  { name: 'dashboard', test: (id: string) => ofFirst.has(id), priority: 1 },
];

/** The app. Built first: it empties the folder, to which `vite.sign-in.config.ts` adds. */
export default defineConfig(
  mergeConfig(
    buildOf({
      files: ofFirst,
      hasRest: true,
      groups: GROUPS,
      plugins: [noIconsByName(), preloaded(), signInInDevelopment()],
    }),
    {
      build: { emptyOutDir: true },
      server: { proxy: { '/api': 'http://127.0.0.1:4180' } },
    },
  ),
);
