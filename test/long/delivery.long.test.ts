// Several processes work on one PostgreSQL server that is killed again and again, and so are they.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { startOutside, type Outside } from '../operations/outside.ts';
import { startChild, type Child } from '../support/child.ts';
import { startPostgres, type PostgresServer } from '../support/postgres/cluster.ts';
import { random } from '../support/random.ts';

const EACH = Number(process.env['OPERATIONS'] ?? 5_000) / 2;
const ALL = EACH * 2;
// Two queue their half, as servers do; three only work.
const PLACES: readonly (readonly [number, number])[] = [
  [0, EACH],
  [EACH, EACH],
  [0, 0],
  [0, 0],
  [0, 0],
];
// A net against hanging: of thousands, some end in any five minutes, however slow the machine is.
const LONGEST_REST_MS = 5 * 60_000;
const LONGEST_MS = 20 * 60_000 + ALL * 2_000;

let server: PostgresServer;
let outside: Outside;
let children: Child[];
let ready: Set<Child>;
beforeEach(async () => {
  server = startPostgres({ durable: true, databases: ['one'] });
  outside = await startOutside();
  await openDatabase(server.address('one'));
  await migrate();
  children = [];
  ready = new Set();
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await closeDatabase();
  server.close();
  await outside.close();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const start = (at: number): void => {
  const [first, count] = PLACES[at]!;
  const child = startChild('test/children/deliver.ts', [
    server.address('one'),
    outside.url,
    String(first),
    String(count),
  ]);
  children[at] = child;
  void child.line().then(
    () => ready.add(child),
    () => undefined,
  );
};
const states = (): Promise<{ state: string; n: number }[]> =>
  select<{ state: string; n: number }>(
    `SELECT state, count(*) AS n FROM operations WHERE kind = 'test' GROUP BY state ORDER BY state`,
  ).catch(() => []);

test(
  'PostgreSQL killed every five to ten seconds under five processes, one of which is killed in between, loses and doubles nothing',
  async () => {
    const next = random(14);
    PLACES.forEach((_, at) => start(at));
    const began = Date.now();
    let kills = 0;
    let died = 0;
    let ended = 0;
    let endedAt = began;
    const isOver = async (): Promise<boolean> => {
      const now = (await states()).find(({ state }) => state === 'succeeded')?.n ?? ended;
      if (now > ended) [ended, endedAt] = [now, Date.now()];
      return ended === ALL || Date.now() - endedAt > LONGEST_REST_MS;
    };
    while (!(await isOver())) {
      await sleep(5_000 + next() * 5_000);
      await server.crash();
      const at = Math.floor(next() * PLACES.length);
      await children[at]!.kill();
      start(at);
      // A process that has met the server's restart at its own start ends: as its supervisor would, start it again.
      for (const [place, child] of children.entries()) {
        if (child.process.exitCode === null) continue;
        if (ready.has(child)) died += 1;
        start(place);
      }
      kills += 1;
      if (kills % 10 === 0) console.log(`delivery: ${kills} kills, ${JSON.stringify(await states())}`);
    }
    console.log(
      `delivery: ${ALL} operations, ${kills} kills of the server and of a process, ${Math.round((Date.now() - began) / 1000)} s`,
    );
    expect(await states()).toEqual([{ state: 'succeeded', n: ALL }]);
    // The loss of the server ends no process that has begun to work.
    expect(died).toBe(0);
    const written = outside.writes.map(({ name }) => name);
    expect(new Set(written).size).toBe(ALL * 2);
    expect(written.length).toBe(ALL * 2);
  },
  LONGEST_MS + 120_000,
);
