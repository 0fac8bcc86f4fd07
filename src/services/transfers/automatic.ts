import { createHash } from 'node:crypto';
import { transaction } from '../../../db/index.ts';
import { AppError, type ErrorKind } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { chooseAlone, chooseAsked, type Choice, type ProjectFacts } from '../../shared/transfers/transfer-pick.ts';
import type { AutoTransferInput } from '../../shared/transfers/transfers.ts';
import { refersToProject } from '../portfolio/projects.ts';
import type { Actor } from '../access/scope.ts';
import { keepDecision, notStored, type Decision } from './decisions.ts';
import { factsOf, lookUp, type Listed } from './facts.ts';
import { lookOutside, NOT_LOOKED, tellUnseen, type Unfit } from './outside.ts';
import { asDeclined, otherThanShown, type ShownMoves } from './shown-moves.ts';
import { findStop, findStopsOfUsers, noteStop, wordsOf, type StandingStop } from './stops.ts';
import { listCandidates } from './fact-rows.ts';
import { findStarted, queueTransfers } from './queue.ts';

/**
 * `dryRun` stores and queues nothing. With `here` no other process takes the queued work: the caller runs it by `runOperation`. With
 * `shown` nothing else is moved than these.
 */
export interface RunOptions {
  dryRun?: boolean;
  here?: boolean;
  shown?: ShownMoves;
}

/**
 * The result of a run. With a stop nothing was started: choices are declined with its reason, waiting ones only where
 * the list is its cause. A stop of one user's portfolio declines that user's choices alone, and is no `stop`.
 */
export interface AutoRun {
  stop: StandingStop | null;
  decisions: Decision[];
}

/** A project with a blocked main domain in mode `auto`, and its owner, in whose name it is moved. */
interface Candidate {
  id: number;
  owner: Actor;
}

const candidates = async (actor: Actor): Promise<Candidate[]> =>
  (await listCandidates(actor)).map(({ id, user_id, login, role }) => ({ id, owner: { id: user_id, login, role } }));

/**
 * Queues the transfer of a choice for the project's owner. Returns the operation's id; null where the choice has no
 * target.
 */
async function queueAlone({ id, owner }: Candidate, { main, target }: Choice, here: boolean): Promise<number | null> {
  if (!target) return null;
  const message: Message = {
    key: 'auto_transfer.alone',
    params: { domain: main.domain_name, target: target.domain_name },
  };
  const pairs = [{ source_id: main.id, target_id: target.id }];
  const how = { action: 'auto', asked_by: 'automation', subject: `auto ${id}`, message, here } as const;
  const queued = await queueTransfers(owner, pairs, [], how);
  return queued.id;
}

// `busy` waits: the names will be free when the other operation ends.
const REFUSALS: Partial<Record<ErrorKind, Choice['decision']>> = {
  refused: 'declined',
  conflict: 'declined',
  busy: 'waiting',
};

/**
 * Chooses for a project and queues the transfer in one transaction, so that two processes can't both find room below
 * the limits.
 */
async function moveAlone(
  candidate: Candidate,
  { listed, unfit }: Looked,
  { here = false, shown }: RunOptions,
): Promise<Decision[]> {
  const move = (refused: Pick<Choice, 'decision' | 'reason'> | null): Promise<Decision[]> =>
    transaction(async () => {
      const now = Date.now();
      const decisions: Decision[] = [];
      for (const choice of chooseAlone(await factsOf(candidate.id, listed, now, unfit), now)) {
        const other = otherThanShown(shown, choice);
        if (other) {
          decisions.push(notStored(candidate.id, other));
          continue;
        }
        const made = refused && choice.target ? { ...choice, ...refused, target: null } : choice;
        decisions.push(await keepDecision(candidate.id, made, await queueAlone(candidate, made, here)));
      }
      return decisions;
    });
  try {
    return await move(null);
  } catch (error) {
    // That transaction was rolled back. Choose again, with the refusal as the reason.
    if (!(error instanceof AppError) || !(error.kind in REFUSALS)) throw error;
    return move({ decision: REFUSALS[error.kind] ?? 'declined', reason: { key: error.key, params: error.params } });
  }
}

/** Looks outside for faults of the domains that would be chosen for a project. */
function lookFor({ id, owner }: Candidate, listed: Listed): Promise<Unfit> {
  const now = Date.now();
  return lookOutside(
    owner,
    (unfit) => factsOf(id, listed, now, unfit),
    (facts) => chooseAlone(facts, now),
  );
}

/**
 * Queues the automatic transfers of the actor's projects: of main domains seen blocked in three observations, within
 * the limits of the day. Each operation belongs to the owner of its project.
 */
export async function runAutoTransfers(actor: Actor, options: RunOptions = {}): Promise<AutoRun> {
  const { dryRun = false } = options;
  const projects = await candidates(actor);
  const found = await findStop();
  // Without candidates a list that is not fresh is not recorded as a stop.
  const isMoot = projects.length === 0 && found?.cause === 'list';
  const looksOnly = dryRun || isMoot;
  const stop = looksOnly ? found && { ...found, since: '', isNew: false } : await noteStop(found);
  const listed = await lookUp(projects.map(({ id }) => id));
  const decisions: Decision[] = [];
  const ofUsers = await findStopsOfUsers();
  for (const candidate of projects) {
    const standing = stop ?? ofUsers.get(candidate.owner.id) ?? null;
    const unfit = standing ? NOT_LOOKED : await lookFor(candidate, listed);
    if (!standing && !dryRun) {
      decisions.push(...(await moveAlone(candidate, { listed, unfit }, options)));
      continue;
    }
    const now = Date.now();
    for (const choice of chooseAlone(await factsOf(candidate.id, listed, now, unfit), now)) {
      const isStopped = standing && (choice.decision !== 'waiting' || standing.cause === 'list');
      const made = isStopped ? asDeclined(choice, wordsOf(standing)) : choice;
      decisions.push(notStored(candidate.id, made));
    }
  }
  return { stop, decisions };
}

/**
 * The choices of a request, with their facts. `plan` is a hash of the choices: an equal hash means that nothing has
 * changed since.
 */
export interface AutoPlan {
  choices: Choice[];
  facts: ProjectFacts;
  plan: string;
}

const planOf = (choices: readonly Choice[]): string =>
  createHash('sha256')
    .update(JSON.stringify(choices.map(({ main, target, decision }) => [main.id, target?.id ?? null, decision])))
    .digest('base64url');

/** The findings that a choice is based on: verdicts of the list, and faults seen outside. */
interface Looked {
  listed: Listed;
  unfit: Unfit;
}

/** The names of main domains that a request is about; undefined: all of the project. */
type Only = ReadonlySet<string> | undefined;

const narrowed = (facts: ProjectFacts, only: Only): ProjectFacts =>
  only ? { ...facts, mains: facts.mains.filter(({ domain_name }) => only.has(domain_name)) } : facts;

async function lookFirst(actor: Actor, project: number, lastToo: boolean, only: Only): Promise<Looked> {
  const listed = await lookUp([project]);
  const now = Date.now();
  const unfit = await lookOutside(
    actor,
    (found) => factsOf(project, listed, now, found),
    (facts) => chooseAsked(narrowed(facts, only), now, lastToo),
  );
  return { listed, unfit };
}

async function choose(project: number, { listed, unfit }: Looked, lastToo: boolean, only: Only): Promise<AutoPlan> {
  const now = Date.now();
  const facts = narrowed(await factsOf(project, listed, now, unfit), only);
  const choices = tellUnseen(chooseAsked(facts, now, lastToo), unfit);
  return { choices, facts, plan: planOf(choices) };
}

/**
 * Returns what `startAutoTransfer` would do, for these main domains alone where there are `only`; changes nothing. Throws AppError `refused` for a project that is not the
 * caller's.
 */
export async function planAutoTransfer(
  actor: Actor,
  { project, use_last_reserve = false }: AutoTransferInput,
  only?: ReadonlySet<string>,
): Promise<AutoPlan> {
  await refersToProject(actor, project, 'project');
  return choose(project, await lookFirst(actor, project, use_last_reserve, only), use_last_reserve, only);
}

interface StartOptions {
  here?: boolean;
  /** These main domains alone. */
  only?: ReadonlySet<string>;
  idem_key?: string | undefined;
}

function startedWords(choices: readonly Choice[]): Message {
  const n = choices.filter(({ target }) => target !== null).length;
  if (choices.length === 0) return { key: 'auto_transfer.nothing_blocked' };
  return n === 0 ? { key: 'auto_transfer.nothing_ready' } : { key: 'auto_transfer.started', params: { n } };
}

/**
 * Queues the transfer of every blocked main domain of a project that has a ready reserve, on a person's request; the
 * others become items that fail at once with their reason. Returns the running operation of the same request instead,
 * if there is one (`started` false). Throws AppError `refused` for a project that is not the caller's, `conflict` where
 * `plan` is given and no longer holds.
 */
export async function startAutoTransfer(
  actor: Actor,
  { project, use_last_reserve = false, plan }: AutoTransferInput,
  { here = false, idem_key, only }: StartOptions = {},
): Promise<{ id: number; started: boolean; message: Message; decisions: Decision[] }> {
  await refersToProject(actor, project, 'project');
  const subject = `project ${project}`;
  const looked = await lookFirst(actor, project, use_last_reserve, only);
  return transaction(async () => {
    const running = await findStarted(actor, subject, idem_key);
    if (running !== null)
      return { id: running, started: false, message: { key: 'auto_transfer.running' }, decisions: [] };
    const found = await choose(project, looked, use_last_reserve, only);
    if (plan !== undefined && plan !== found.plan)
      throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
    const message = startedWords(found.choices);
    const { pairs, declined } = pairsOf(found.choices);
    const how = { action: 'auto', subject, message, here, ...(idem_key !== undefined && { idem_key }) } as const;
    const { id, started } = await queueTransfers(actor, pairs, declined, how);
    const decisions: Decision[] = [];
    for (const choice of found.choices) decisions.push(await keepDecision(project, choice, id));
    return { id, started, message, decisions };
  });
}

function pairsOf(choices: readonly Choice[]) {
  return {
    pairs: choices.flatMap(({ main, target }) => (target ? [{ source_id: main.id, target_id: target.id }] : [])),
    declined: choices.flatMap(({ main, target, reason }) => (target ? [] : [{ source_id: main.id, reason }])),
  };
}
