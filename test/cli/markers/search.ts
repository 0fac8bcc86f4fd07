// The markers of XMLRiver and Arsenkin: stored through every door, and used by everything that asks the services.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, cli, type Caller } from './callers.ts';
import { hex, MARKERS } from './secrets.ts';

const KINDS = [
  { path: 'xmlriver', field: 'key', called: 'key of XMLRiver', more: { login: 'me' }, flags: '--login me' },
  { path: 'arsenkin', field: 'token', called: 'token of Arsenkin', more: {}, flags: '' },
] as const;

/** Stores the markers, and returns the ids of the accounts that hold one, by their path. */
export async function plantSearch(owner: Caller): Promise<Record<string, number>> {
  const ids: Record<string, number> = {};
  for (const { path, field, called, more, flags } of KINDS) {
    const account = { name: 'Marked', ...more, [field]: MARKERS[`${called} before an edit`] };
    const { id } = (await ask(owner, `POST /api/${path}`, account)).body.data;
    await ask(owner, `PUT /api/${path}/${id}`, { [field]: MARKERS[`${called} by the API`] });
    await ask(owner, `PUT /api/${path}/${id}`, { name: 'Renamed', [field]: '********' });
    await ask(owner, `POST /api/${path}/test`, { ...more, [field]: MARKERS[`${called} that was only tried`] });
    const refused = MARKERS[`${called} of a refused body`];
    await ask(owner, `POST /api/${path}`, { name: '', ...more, [field]: refused });
    await ask(owner, `POST /api/${path}?${field}=${refused}`, Buffer.from(`{"${field}":"${refused}",}`));
    await cli(`${path} add CLI ${flags} --${field}-stdin`.replace('  ', ' '), MARKERS[`${called} by the command line`]);
    ids[path] = id;
  }
  return ids;
}

async function waitFor(caller: Caller, id: number): Promise<void> {
  for (;;) {
    const { body } = await ask(caller, `GET /api/operations/${id}`);
    if (!['queued', 'running'].includes(body.state)) return;
    await sleep(100);
  }
}

/**
 * Uses the accounts for everything, waits for the end of what that starts, and returns what the services have answered to searches as
 * it is told.
 */
export async function useSearch(caller: Caller, ids: Record<string, number>): Promise<string> {
  const told: string[] = [];
  for (const [path, id] of Object.entries(ids)) {
    for (let round = 0; round < 3; round += 1) await ask(caller, `POST /api/${path}/${id}/test`, {});
    await ask(caller, `PUT /api/${path}/${id}`, { name: 'Renamed' });
  }
  const { id } = (await ask(caller, 'POST /api/projects', { name: `use-${hex(8)}` })).body.data;
  await ask(caller, 'POST /api/domains', { domain_name: `use-${hex(8)}.example`, project_id: id });
  for (const keyword of ['one', 'two', 'three']) await ask(caller, 'POST /api/keywords', { keyword, project_id: id });
  for (const type of ['yandex', 'google']) {
    await ask(caller, `GET /api/position_cost/${id}/${type}`);
    const { body } = await ask(caller, 'POST /api/fetch-positions', { projectId: id, keywordId: null, type });
    await waitFor(caller, body.operation.id);
    told.push((await ask(caller, `GET /api/position_failures/${body.operation.id}`)).text);
    await ask(caller, `GET /api/project_positions/${id}/${type}`);
  }
  const { body } = await ask(caller, 'POST /api/check_index', {});
  await waitFor(caller, body.operation.id);
  for (const kind of Object.keys(ids)) await cli(`${kind} test --json`);
  for (const line of ['xmlriver list --json', 'arsenkin list']) await cli(line);
  await cli(`position fetch --project ${id} --wait --yes --json`);
  return told.join('\n');
}
