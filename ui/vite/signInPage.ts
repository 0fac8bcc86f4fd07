import type { Plugin } from 'vite';

const PATHS = /^\/(?:login|setup)\/?(?:[?#]|$)/i;
const APP = './shell/main.ts';
const SIGN_IN = './sign-in/main.ts';

/** Serves the pages before the sign-in while the interface is developed, as `src/server.ts` does in a build. */
export const signInInDevelopment = (): Plugin => ({
  name: 'sign-in-in-development',
  apply: 'serve',
  transformIndexHtml: {
    order: 'pre',
    handler: (html, { originalUrl = '' }) => (PATHS.test(originalUrl) ? html.replace(APP, SIGN_IN) : html),
  },
});

/** Makes `sign-in.html` of the app's page, with the script of the sign-in. */
export const signInPage = (): Plugin => ({
  name: 'sign-in-page',
  apply: 'build',
  enforce: 'post',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replace(APP, SIGN_IN) },
  generateBundle(_options, bundle) {
    const page = bundle['index.html'];
    if (page?.type !== 'asset') throw new Error('the sign-in was built without its page');
    delete bundle['index.html'];
    this.emitFile({ type: 'asset', fileName: 'sign-in.html', source: page.source });
  },
});
