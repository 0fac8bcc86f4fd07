import { spawnSync } from 'node:child_process';
import '../test/support/acting.ts';

/**
 * `npm run bench [name…]`: each bench measures a peer in the same run and prints ratios. Timings are printed, never
 * asserted, because they depend on the machine.
 */
const benches: Record<string, () => Promise<() => unknown>> = {
  cli: async () => (await import('./cli.ts')).benchCli,
  blocklist: async () => (await import('./blocklist.ts')).benchBlocklist,
  start: async () => (await import('./start.ts')).benchStart,
  nights: async () => (await import('./nights.ts')).benchNights,
  expiry: async () => (await import('./expiry.ts')).benchExpiry,
  health: async () => (await import('./health.ts')).benchHealth,
  names: async () => (await import('./names.ts')).benchNames,
  adding: async () => (await import('./adding.ts')).benchAdding,
  cdn: async () => (await import('./cdn.ts')).benchCdn,
  deploy: async () => (await import('./deploy.ts')).benchDeploy,
  lists: async () => (await import('./lists.ts')).benchLists,
  positions: async () => (await import('./positions.ts')).benchPositions,
  store: async () => (await import('./store.ts')).benchStore,
  scale: async () => (await import('./scale.ts')).benchScale,
  // Works in a page, whose types are those of the interface.
  look: async () => () => spawnSync('npx', ['tsx', 'bench/look/look.ts'], { stdio: 'inherit' }),
  load: async () => (await import('./load.ts')).benchLoad,
  workers: async () => (await import('./workers.ts')).benchWorkers,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`No such measurement: ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
spawnSync('npm', ['run', 'build:server'], { stdio: 'ignore' });
for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
  console.log(`\n# ${name}`);
  const run = await benches[name]?.();
  await run?.();
}
