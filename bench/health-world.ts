// The simulated world of the HTTP bench, in its own process: `node --import tsx bench/health-world.ts SITES.json`
// prints its ports as one line of JSON, and runs until its stdin ends.
import { readFileSync } from 'node:fs';
import { startNames, startWorld, type Records, type Site } from '../test/support/world.ts';

const sites = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, Site>;
const names: Record<string, Records> = {};
// Look-ups take 1 to 40 ms, spread evenly over the names.
for (const [index, name] of Object.keys(sites).entries()) names[name] = { a: ['127.0.0.1'], delayMs: 1 + (index % 40) };

const [world, resolver] = await Promise.all([startWorld(sites), startNames(names)]);
console.log(JSON.stringify({ port: world.port, tlsPort: world.tlsPort, dns: resolver.address }));
process.stdin.resume().on('end', () => process.exit(0));
