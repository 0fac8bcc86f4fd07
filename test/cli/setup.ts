import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs before the tests of the command line: builds it from the current sources. */
export default function setup(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const built = spawnSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--config', 'src/vite.config.ts'],
    {
      cwd: root,
      // Tests run with NODE_ENV=test.
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
    },
  );
  if (built.status !== 0) throw new Error(`The command line can't be built: ${built.stdout}${built.stderr}`);
}
