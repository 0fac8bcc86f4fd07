// Two users whose zones, folders and work lie beside, above and below each other's, with the demo's Cloudflare and SSH server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { select } from '../../../db/index.ts';
import { startSsh } from '../../../src/demo/ssh.ts';
import { startCdn } from '../../support/cdn.ts';
import { createPerson, type Answer, type Person } from '../../support/server.ts';
import { addKept, addOwn, ask, type Kept, type Own, type Users } from './matrix-objects.ts';
import { addFolders, addZones, filesIn, KEPT } from './matrix-outside.ts';

export interface Matrix extends Users {
  kept: Kept;
  own: Own;
  ask: (person: Person, call: string, body?: unknown) => Promise<Answer>;
  /** Returns the state of the victim's objects, in our rows and outside, as text. */
  ofVictim: () => Promise<string>;
  /** Returns the whole state outside as text. */
  outside: () => string;
  /** Waits for work that the attacker has started, which would disturb the comparisons. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

const OWNED = [
  'projects',
  'domains',
  'operations',
  'purchases',
  'imports',
  'servers',
  'registrars',
  'xmlriver_accounts',
  'arsenkin_accounts',
  'templates',
  'cloudflare_accounts',
  'cloudflare_groups',
];

async function stateOfVictim({ cdn, ssh, victim }: Users): Promise<string> {
  const rows = await Promise.all(
    OWNED.map((table) => select(`SELECT * FROM ${table} WHERE user_id = $user ORDER BY id`, { user: victim.id })),
  );
  const items = await select(
    `SELECT i.* FROM operation_items i JOIN operations o ON o.id = i.operation_id WHERE o.user_id = $user ORDER BY i.id`,
    { user: victim.id },
  );
  const names = cdn.zone('shared-zone.com').records.filter(({ name }) => name === KEPT.sibling);
  const below = cdn.zone('later-zone.com').records.filter(({ name }) => name === KEPT.deep);
  const folder = [KEPT.folder, KEPT.other].map((path) => filesIn(join(ssh.root, path)));
  // Anybody in the team may test a server, which writes these fields.
  return JSON.stringify(
    [rows, items, [KEPT.zone, KEPT.reserve].map((name) => cdn.zone(name)), names, below, folder],
    (key, value: unknown) => (key === 'checked_at' || key === 'check_error' ? undefined : value),
  );
}

/** Waits until no operation but one is under way. */
async function settledBut(queued: number): Promise<void> {
  const open = `SELECT 1 FROM operations WHERE state IN ('queued', 'running') AND id <> $queued`;
  while ((await select(open, { queued })).length > 0) await sleep(30);
}

/** Starts the world. */
export async function startMatrix(): Promise<Matrix> {
  const root = mkdtempSync(join(tmpdir(), 'seo-admin-matrix-'));
  const ssh = await startSsh({
    root,
    logins: [KEPT.password, 'own password'].map((password) => ({ user: 'root', password })),
  });
  const cdn = await startCdn({}, 1, { connectTo: 'host.example.com::127.0.0.1:' });
  const users: Users = { cdn, ssh, victim: await createPerson(cdn.server), attacker: await createPerson(cdn.server) };
  addZones(cdn);
  addFolders(root);
  const kept = await addKept(users);
  const own = await addOwn(users, kept);
  const settled = (): Promise<void> => settledBut(kept.queued);
  return {
    ...users,
    kept,
    own,
    ask: (person, call, body) => ask(cdn, person, call, body),
    ofVictim: () => stateOfVictim(users),
    outside: () => JSON.stringify([cdn.fake.state.zones, filesIn(root)]),
    settled,
    close: async () => {
      await settled();
      await cdn.close();
      await ssh.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
