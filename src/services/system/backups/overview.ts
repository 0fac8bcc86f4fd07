import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '../../../lib/config.ts';
import { listRuns, type FoundRun } from '../../../operations/schedule/rows.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import type { BackupPart, BackupRow, BackupsView, BackupState } from '../../../shared/system/backups.ts';
import { isAdmin, type Actor } from '../../access/scope.ts';
import { listLateJobs } from '../lateness.ts';
import { readRules } from '../schedules.ts';
import { backupsFolder, listBackups } from './files.ts';
import { readTrial, type Trial } from './state.ts';
import { targets, type Target } from './targets.ts';

const DAY_MS = 24 * 3_600_000;
const DRILL_LATE_MS = 15 * DAY_MS;

// States that need a person come first.
const WEIGHTS: Record<BackupState, number> = { failed: 0, never: 1, late: 2, running: 3, ok: 4 };

/** Failures of copies, after which the backup itself is there. */
const OF_COPIES = /^backup\.(?:copy_|secret_)/;

interface Found {
  at: string | null;
  bytes: number | null;
  kept: number;
  all: number;
}

async function findBackups(folder: string): Promise<Found> {
  const whole = (await listBackups(folder)).filter((backup) => backup.whole);
  const sizes = await Promise.all(
    whole.map(({ name }) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const at = whole.at(-1)?.at.toISOString() ?? null;
  return { at, bytes: sizes.at(-1) ?? null, kept: whole.length, all: sizes.reduce((sum, size) => sum + size, 0) };
}

const isRunning = (run: FoundRun | undefined): boolean =>
  run !== undefined && run.lease_owner !== null && run.is_free === 0;

const failureOf = (run: FoundRun | undefined): Message | null =>
  run?.result === 'failed' && run.message ? (JSON.parse(run.message) as Message) : null;

function stateOf({
  message,
  good_at,
  isLate,
  runs,
}: {
  message: Message | null;
  good_at: string | null;
  isLate: boolean;
  runs: boolean;
}): BackupState {
  if (runs) return 'running';
  if (message) return 'failed';
  if (good_at === null) return 'never';
  return isLate ? 'late' : 'ok';
}

const ageOf = (iso: string | null): number => (iso === null ? 0 : Date.now() - Date.parse(iso));

function rowOf(
  part: BackupPart,
  trial: Trial | null,
  isLate: boolean,
  address: string | null,
  runs = false,
): BackupRow {
  const [message, good_at] = [trial?.failed ?? null, trial?.good_at ?? null];
  const state = stateOf({ message, good_at, isLate, runs });
  return { part, state, address, good_at, message, proved_at: null, bytes: null };
}

/** How the copies at a place stand: one that can't be restored has failed, however well it was sent. */
async function copyRow({ kind, address }: Target, newest: string | null): Promise<BackupRow> {
  const [sent, proof] = [await readTrial(`copy ${kind}`), await readTrial(`drill ${kind}`)];
  // A copy that is a day behind the newest backup, as after nights on which nothing was sent.
  const isBehind = sent?.good_at != null && newest !== null && Date.parse(newest) - Date.parse(sent.good_at) > DAY_MS;
  const row = rowOf(kind, sent, isBehind, address);
  const proved_at = proof?.good_at ?? null;
  const failed = row.state === 'failed' ? null : (proof?.failed ?? null);
  return failed ? { ...row, state: 'failed', message: failed, proved_at } : { ...row, proved_at };
}

async function notesOf(copies: number): Promise<Message[]> {
  const { rules } = await readRules();
  const off = (['backup', 'drill'] as const).filter((name) => rules.get(name)?.active === false);
  return [
    ...off.map((name): Message => ({ key: `backups.off_${name}` })),
    ...(config().backupPassphrase === undefined ? [{ key: 'backups.unsealed' } as const] : []),
    ...(copies === 0 ? [{ key: 'backups.no_copies' } as const] : []),
  ];
}

/** Returns how the backups stand, what asks for a person first. Throws AppError `forbidden`. */
export async function readBackups(actor: Actor): Promise<BackupsView> {
  if (!isAdmin(actor)) throw new AppError('forbidden', 'error.forbidden');
  const folder = backupsFolder(config());
  const { at, bytes, kept, all } = await findBackups(folder);
  const runs = new Map((await listRuns()).map((run) => [run.name, run]));
  const failure = failureOf(runs.get('backup'));
  const message = failure && !OF_COPIES.test(failure.key) ? failure : null;
  const isLate = (await listLateJobs()).some(({ name }) => name === 'backup');
  const state = stateOf({ message, good_at: at, isLate, runs: isRunning(runs.get('backup')) });
  const drilled = await readTrial('drill');
  const places = targets();
  const copies = await Promise.all(places.map((place) => copyRow(place, at)));
  const rows: BackupRow[] = [
    { part: 'backup', state, address: folder, good_at: at, message, proved_at: null, bytes },
    ...copies,
    rowOf('drill', drilled, ageOf(drilled?.good_at ?? null) > DRILL_LATE_MS, null, isRunning(runs.get('drill'))),
  ];
  const sorted = rows.toSorted((a, b) => WEIGHTS[a.state] - WEIGHTS[b.state]);
  return { rows: sorted, notes: await notesOf(places.length), kept, bytes: all };
}
