import { defineConfig, mergeConfig } from 'vite';
import { buildOf } from './vite/build.ts';
import { ofSignIn } from './vite/first.ts';
import { signInPage } from './vite/signInPage.ts';

/**
 * The pages before the sign-in, `dist/ui/sign-in.html`: the same components as in the app, drawn by Preact in a tenth of
 * React's bytes. Their imports must do without Blueprint's scripts, a router and a cache of calls.
 */
export default defineConfig(
  mergeConfig(buildOf({ files: ofSignIn, hasRest: false, groups: [], plugins: [signInPage()] }), {
    resolve: {
      alias: [
        { find: /^react$/, replacement: 'preact/compat' },
        { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
        { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      ],
    },
    build: { emptyOutDir: false },
  }),
);
