import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { INSTALLED, install, makeHome } from './cli.ts';

/** Runs before the tests of the command line: builds it from the current sources, and makes the installation that their homes start as. */
export default async function setup(): Promise<() => void> {
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
  const home = makeHome();
  await install(home);
  process.env[INSTALLED] = home.dir;
  return () => {
    delete process.env[INSTALLED];
    home.remove();
  };
}
