#!/usr/bin/env node
// CommonJS, like `quick.cjs`: starting Node's loader of ES modules takes several milliseconds.
const { argv, env } = process;
if (!require('node:fs').existsSync(`${__dirname}/../dist/cli/quick.cjs`)) {
  process.stderr.write('seo-admin: this checkout is not built: npm run build\n');
  process.exit(1);
}
void require('../dist/cli/quick.cjs')
  .answerQuickly(argv.slice(2), env)
  .then((isAnswered) => {
    // Without an explicit exit Node tears its heap down first, which takes as long as looking up ten names.
    if (isAnswered) process.exit();
    // Node 22.1 and newer keep compiled code between runs; Node 20 has no such call.
    require('node:module').enableCompileCache?.();
    // The same program, bundled to start a server fast; its help needs no server.
    const isServing = argv[2] === 'serve' && !argv.includes('--help') && !argv.includes('-h');
    return isServing ? import('../dist/serve/index.js') : import('../dist/cli/index.js');
  });
