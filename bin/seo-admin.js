#!/usr/bin/env node
// CommonJS, as `quick.cjs` is: Node takes several milliseconds to wake its loader of ES modules.
const { argv, env } = process;
if (!require('node:fs').existsSync(`${__dirname}/../dist/cli/quick.cjs`)) {
  process.stderr.write('seo-admin: this checkout is not built: npm run build\n');
  process.exit(1);
}
require('../dist/cli/quick.cjs')
  .answerQuickly(argv.slice(2), env)
  .then((isAnswered) => {
    // Without it Node takes its heap apart first, which lasts as long as the look-up of ten names.
    if (isAnswered) process.exit();
    // Node 22.1 and newer keep compiled code between runs; Node 20 has no such call.
    require('node:module').enableCompileCache?.();
    // The same program, built to start a server at once.
    return argv[2] === 'serve' ? import('../dist/serve/index.js') : import('../dist/cli/index.js');
  });
