import { closeDatabase, dialect, openDatabase, select } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import type { Config } from '../../src/lib/config.ts';
import { databaseAddress } from '../../src/lib/database-address.ts';
import { createUser } from '../../src/services/access/users.ts';
import { startChild, type Child } from './child.ts';
import { newInstallation, PASSWORD, removeInstallation, request, signIn } from './server.ts';

/** The results of the rounds. `acknowledged` counts all writes answered with 200. */
export interface CrashReport {
  acknowledged: number;
  /** Names that were acknowledged but are gone. */
  lost: string[];
  /** Results of integrity_check and foreign_key_check other than "ok". */
  damage: unknown[];
  /** The longest time from a start after a crash to the first good answer, in ms. */
  slowestStart: number;
}

/**
 * Kills the server at a random moment under a load of writes over HTTP, restarts it on the same data, and looks for the
 * acknowledged writes; repeats this `rounds` times.
 */
export async function crashRounds(rounds: number): Promise<CrashReport> {
  const config = await newInstallation();
  const { dataDir } = config;
  await openDatabase(databaseAddress(config));
  await migrate();
  await createUser({ login: 'admin', password: PASSWORD, role: 'admin' });
  await closeDatabase();
  const acknowledged = new Set<string>();
  const report: CrashReport = { acknowledged: 0, lost: [], damage: [], slowestStart: 0 };
  let server = await start(dataDir);
  const token = await signIn(server, 'admin');
  try {
    for (let round = 0; round < rounds; round++) {
      // Waits for a number of writes, not for a time: a busy machine must get to its writes, too.
      const enough = acknowledged.size + 1 + Math.floor(Math.random() * 40);
      const load = Array.from({ length: 8 }, (_, writer) =>
        writeUntilGone(server.url, token, `${round}-${writer}`, acknowledged),
      );
      while (acknowledged.size < enough) await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      await server.child.kill();
      await Promise.all(load);
      const begun = performance.now();
      server = await start(dataDir);
      await request(server, 'GET /api/health');
      report.slowestStart = Math.max(report.slowestStart, Math.round(performance.now() - begun));
      report.damage.push(...(await damageOf(config)));
      const { body } = await request(server, 'GET /api/domains', { token });
      const there = new Set((body.data as { domain_name: string }[]).map(({ domain_name }) => domain_name));
      report.lost.push(...[...acknowledged].filter((name) => !there.has(name)));
    }
  } finally {
    await server.child.kill();
    await removeInstallation(config);
  }
  return { ...report, acknowledged: acknowledged.size };
}

async function start(dataDir: string): Promise<{ url: string; child: Child }> {
  const child = startChild('test/children/serve.ts', [dataDir]);
  return { url: await child.line(), child };
}

async function writeUntilGone(url: string, token: string, name: string, acknowledged: Set<string>): Promise<void> {
  for (let count = 0; ; count++) {
    const domain_name = `crash-${name}-${count}.example`;
    try {
      const { status } = await request({ url }, 'POST /api/domains', { token, body: { domain_name } });
      if (status === 200) acknowledged.add(domain_name);
    } catch {
      return;
    }
  }
}

// A connection that stays open would hide the server's recovery, so each look opens a new one.
async function damageOf(config: Config): Promise<unknown[]> {
  await openDatabase(databaseAddress(config));
  if (dialect() === 'postgres') {
    // The server's own files survive by its own log; what is ours is that each row has been committed whole.
    await closeDatabase();
    return [];
  }
  const found = [...(await select('PRAGMA integrity_check')), ...(await select('PRAGMA foreign_key_check'))];
  await closeDatabase();
  return found.filter((row) => (row as { integrity_check?: string }).integrity_check !== 'ok');
}
