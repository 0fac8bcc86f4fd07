import { NotSent } from '../../lib/outgoing/line.ts';
import { ageOf, moment } from '../../lib/time/moment.ts';
import type { Act, Item } from '../../operations/flow.ts';
import { LeftAlone } from '../../operations/waiting.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { forwardAct, forwardBack, oneForwardAct, repointAct } from '../dns/forwards.ts';
import { unforwardAct, unforwardBack } from '../dns/unforward.ts';
import { recordsBack } from '../dns/records.ts';
import { repointAttachments, type Repointed } from '../dns/rows.ts';
import { markerPath } from '../sites/releases.ts';
import { uploadAct, uploadBack } from '../sites/release-upload.ts';
import { activateAct, activateBack, keepAct } from '../sites/release-switch.ts';
import { listRules } from '../dns/rules.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import { checkPlace } from '../portfolio/folder-check.ts';
import { actorOf, confirmedAct, guarded, reachIn, requireZone } from '../access/ownership.ts';
import { actWithin, atSource, toldAsLeft } from './blame.ts';
import { checkAct, refuseLost, refuseOutdated } from './check.ts';
import { transferDnsAct } from './dns.ts';
import { passGate } from './gate.ts';
import { late, type MoveLane } from './lane.ts';
import { isDeclined, type Move, type TransferItem } from './queue.ts';
import { settingAfter, settingLike, settingUndone } from './settings.ts';
import { swapAct } from './swap.ts';
import { verifyAct } from './verify.ts';
import { SWITCHES } from '../dns/switch-lock.ts';
import { zoneAct } from '../dns/zone-act.ts';
import type { OpenAccount } from '../dns/zones.ts';
import { AppError } from '../../shared/errors.ts';

/** The act after which a move is no longer rolled back. */
export const NO_RETURN = 'redirect';

// A gate that was passed this recently is not repeated before the redirect.
const GATE_HOLDS_MS = 60_000;

const nothing = async (): Promise<void> => undefined;

/** An act that changes nothing and stores what `see` returns. */
const noteAct = (name: string, see: () => Promise<{ before: unknown; after: unknown }>): Act => ({
  name,
  class: 'read',
  look: async () => ({ ...(await see()), perform: nothing }),
});

async function imageOf(lane: OpenAccount, name: string): Promise<unknown> {
  const zone = await lane.findZone(name);
  if (!zone) return null;
  const { client } = lane;
  const [records, rules, tls_1_3, security_level] = await Promise.all([
    client.listRecords(zone.id),
    listRules(lane, zone.id),
    client.getSetting(zone.id, 'tls_1_3'),
    client.getSetting(zone.id, 'security_level'),
  ]);
  return { records, rules, tls_1_3: tls_1_3.value, security_level: security_level.value };
}

/** Stores both zones as they were before the move, for a person who looks it up later. */
const snapshotAct = ({ source, target }: Move, lane: MoveLane): Act =>
  noteAct('snapshot', async () => ({
    before: {
      source: await atSource(source.name, () => imageOf(lane.source, source.zone)),
      target: await imageOf(lane.target, target.zone),
    },
    after: null,
  }));

/** Opens the server of the reserve's folder. Throws AppError `refused` where the folder is no longer the reserve's. */
async function openPlace(
  { target, server_id, file_path }: Move,
  lane: MoveLane,
  user_id: number | null,
): Promise<Sftp> {
  const sftp = await lane.sftp();
  const place = { id: target.id, domain_name: target.name, server_id, file_path };
  await checkPlace(user_id, place, sftp, lane.signal);
  return sftp;
}

/** The acts that upload the site under the new name, note the folder that it replaces, and switch to it. */
const siteActs = (move: Move, lane: MoveLane, user_id: number | null) => ({
  upload: late('upload', async () => {
    const sftp = await openPlace(move, lane, user_id);
    return uploadAct(sftp, move.file_path, await lane.release());
  }),
  keep: {
    ...late('keep', async () => {
      const sftp = await openPlace(move, lane, user_id);
      return keepAct(sftp, move.file_path, { id: await lane.releaseId() });
    }),
    class: 'read' as const,
  },
  activate: late('activate', async () => {
    const sftp = await openPlace(move, lane, user_id);
    return activateAct(sftp, move.file_path, { id: await lane.releaseId() });
  }),
});

async function openGate({ target, site, confirm_site }: Move, lane: MoveLane, isOver?: boolean): Promise<void> {
  const id = site === null ? null : await lane.releaseId();
  const marker = id === null ? null : { path: markerPath(id), content: Buffer.from(`${id}\n`) };
  const address = lane.address?.address ?? null;
  const gate = { domain: target.name, address, marker, model: lane.model, confirm_site };
  await passGate(gate, lane.signal, isOver);
  lane.passed = moment();
}

const gateAct = (move: Move, lane: MoveLane): Act => ({
  name: 'gate',
  class: 'read',
  look: async (isOver = false) => {
    await openGate(move, lane, isOver);
    return null;
  },
});

/**
 * Returns the act that forwards the source to the reserve. A rule that exists already is noted as a done act, too
 * (`before` is set then), because the rollback ends here. Before it creates a rule it passes the gate again, if the
 * last pass is older than a minute, for example after a restart; and it looks whether the move is still right.
 */
function redirectAct({ data: move, acts, operation_id }: Item<Move>, lane: MoveLane): Act {
  const { source, target } = move;
  const told = <T>(work: () => Promise<T>) => atSource(source.name, work);
  const forward = actWithin(forwardAct(lane.source, source.zone, source.name, target.name), told);
  const isBegun = acts.some(({ name, state }) => name === NO_RETURN && state === 'intent');
  return {
    name: NO_RETURN,
    class: 'set',
    look: async (isOver = false) => {
      const change = await forward.look();
      // A plan has no gate. A rule of ours that is there has sent the visitors already.
      if (lane.warnings || (!change && isBegun)) return change;
      if (change && (!lane.passed || ageOf(lane.passed) > GATE_HOLDS_MS)) await openGate(move, lane, isOver);
      await refuseOutdated(move, operation_id);
      const after = { domain: source.name, to: target.name };
      return change ?? { before: after, after, perform: nothing };
    },
  };
}

const asLeft = (error: unknown): never => {
  throw error instanceof NotSent && error.isFirst ? new LeftAlone() : error;
};

/** Returns an act on an older name that leaves its zone as it is once that is not the user's any more: its rule still leads on by way of the source. */
function whileHeld(act: Act, user_id: number | null, zone: string): Act {
  const held = confirmedAct(act, async () => requireZone(await actorOf(user_id), zone));
  return {
    ...held,
    look: async (isOver) => {
      if (!(await reachIn(await actorOf(user_id), zone)).isWhole) return null;
      const change = await held.look(isOver);
      return change && { ...change, perform: () => change.perform().catch(asLeft) };
    },
  };
}

/**
 * Makes older names that forward to the source forward to the new main domain directly, so that no redirect chain
 * grows.
 */
const chainActs = ({ source, target }: Move, { older, warnings }: MoveLane, user_id: number | null): Act[] =>
  older.map(({ name, zone, lane }) => {
    const row: Repointed = { domain_name: name, from: source.name, forward_to: target.name };
    const act: Act = {
      ...repointAct(lane, zone, name, source.name, target.name),
      name: `chain:${name}`,
      record: () => ({ save: repointAttachments, row }),
    };
    // A plan ignores an account of an older name that fails.
    if (warnings) return { ...act, look: () => act.look().catch(() => null) };
    return whileHeld(
      actWithin(act, (work) => toldAsLeft(name, source.name, work)),
      user_id,
      zone,
    );
  });

function refused({ declined }: { declined: { key: AppError['key']; params?: AppError['params'] } }): Act {
  return {
    name: 'check',
    class: 'read',
    look: () => Promise.reject(new AppError('conflict', declined.key, declined.params)),
  };
}

/** Returns the acts of a move, in order. A plan leaves out snapshot, gate and verify, which change nothing. */
export function movesOf(item: Item<TransferItem>, lane: MoveLane): Act[] {
  const { data, user_id, operation_id } = item;
  if (isDeclined(data)) return [refused(data)];
  const { source, target, target_account, site } = data;
  const planned = lane.warnings !== null;
  const content = site === null ? null : siteActs(data, lane, user_id);
  const untilNoReturn = [
    checkAct(data, lane, operation_id),
    ...(planned ? [] : [snapshotAct(data, lane)]),
    zoneAct(lane.target, { zone: target.zone, account_id: target_account ?? 0 }),
    ...(content ? [content.upload] : []),
    unforwardAct(lane.target, target.zone, target.name, lane.family),
    transferDnsAct(data, lane),
    ...SWITCHES.map((kind) => settingLike({ ...item, data }, lane, kind)),
    ...(content ? [content.keep, content.activate] : []),
    ...(planned ? [] : [gateAct(data, lane)]),
    redirectAct({ ...item, data }, lane),
  ];
  return [
    ...guarded(untilNoReturn, () => refuseLost(user_id, data)),
    swapAct({ ...item, data }, lane),
    ...chainActs(data, lane, user_id),
    oneForwardAct(lane.source, source.zone, source.name, target.name),
    ...(planned
      ? []
      : [...SWITCHES.map((kind) => settingAfter({ ...item, data }, lane, kind)), verifyAct({ ...item, data }, lane)]),
  ];
}

/**
 * Returns the act that undoes an act of a move; null where nothing is undone: reads, and a created zone, which stays.
 */
export function moveBack(item: Item<TransferItem>, lane: MoveLane, act: StoredAct): Act | null {
  const { data } = item;
  if (isDeclined(data)) return null;
  const { name, before, after } = act;
  const { source, target, file_path } = data;
  const undo: Record<string, () => Act | null> = {
    // A release that was there before stays.
    upload: () =>
      before === null
        ? late('upload', async () => uploadBack(await lane.sftp(), file_path, (after as { release: string }).release))
        : null,
    unforward: () => unforwardBack(lane.target, target.zone, before),
    dns: () => recordsBack(lane.target, target.zone, { before, after }),
    tls_1_3: () => settingUndone({ ...item, data }, lane, 'tls', act),
    security_level: () => settingUndone({ ...item, data }, lane, 'under_attack', act),
    activate: () => late('activate', async () => activateBack(await lane.sftp(), file_path, before, after)),
    [NO_RETURN]: () => forwardBack(lane.source, source.zone, after),
  };
  // A rule that existed before the move stays.
  if (name === NO_RETURN && before !== null) return null;
  return undo[name]?.() ?? null;
}
