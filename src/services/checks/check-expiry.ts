import { transaction } from '../../../db/index.ts';
import { inStepSpan, type Flow, type StepContext, type StepOutcome } from '../../operations/flow.ts';
import { endForgotten, enqueue, type Request } from '../../operations/queue.ts';
import { compareUrgency, factsAfter, isDue, isFresh, isUnanswered, wasUnanswered } from '../../shared/checks/expiry.ts';
import { registrationOf, type Registration } from '../../shared/checks/registration.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import { actorOf } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { partOf, scopeName } from './check-targets.ts';
import { countDoubts, countLookedUpSince, listExpiryRows, listExpiryRowsById, type ExpiryRow } from './expiry-rows.ts';
import { lookUpExpiries, type ExpiryTarget } from './expiry-run.ts';
import { storeFound, storeOf } from './expiry-store.ts';

/** Look-ups of the portfolio's registrations, or of the part of it that is named. */
export interface ExpiryRequest {
  project_id?: number;
  status?: DomainFilter;
  domain_ids?: number[];
  /** Only what the schedule is to look up now; else all that was not looked up within the last hour. */
  due?: true;
}

const KIND = 'expiry';
const FORGOTTEN_HOURS = 24;

/**
 * Queues look-ups of the caller's registrations, for an admin of all, and returns their operation. Returns the same operation
 * instead (`started` false) where it is running already, or `idem_key` has started it before. With `here` this process
 * runs it by `runOperation`.
 */
export async function startExpiry(
  actor: Actor,
  request: ExpiryRequest,
  here = false,
  asked: Pick<Request, 'idem_key' | 'asked_by'> = {},
): Promise<{ id: number; started: boolean }> {
  const subject = [scopeName(actor), request.due ? 'due' : '', partOf(request)].join('/');
  await endForgotten(KIND, FORGOTTEN_HOURS, { key: 'check.forgotten' });
  const message = { key: 'expiry.started' } as const;
  const isFree = asked.asked_by === 'automation';
  return enqueue({ kind: KIND, subject, user_id: actor.id, input: request, message, isFree, ...asked }, here);
}

/** Looks up what is due in the whole portfolio; null: nothing is. */
export async function startDueExpiry(actor: Actor): Promise<{ id: number; started: boolean } | null> {
  const now = Date.now();
  const rows = await listExpiryRows(actor, {});
  if (!rows.some((row) => isDue(row, now))) return null;
  return startExpiry(actor, { due: true }, false, { asked_by: 'automation' });
}

const requestOf = ({ input }: OperationRow): ExpiryRequest => JSON.parse(input) as ExpiryRequest;

/** Returns the rows of an operation; `isDone`: looked up since it was asked for, or young enough. */
async function rowsOf(operation: OperationRow): Promise<(ExpiryRow & { isDone: boolean })[]> {
  const { due, ...part } = requestOf(operation);
  const since = operation.created_at;
  const now = Date.parse(since);
  const rows = await listExpiryRows(await actorOf(operation.user_id), part);
  return rows.flatMap((row) => {
    const isSince = (row.registration?.looked_up_at ?? '') >= since;
    if (due && !isSince && !isDue(row, now)) return [];
    return [{ ...row, isDone: isSince || (!due && isFresh(row, now)) }];
  });
}

async function runExpiry({ operation, signal, advance }: StepContext): Promise<StepOutcome> {
  const rows = await rowsOf(operation);
  const done = rows.filter(({ isDone }) => isDone);
  advance(done.length, done.filter((row) => wasUnanswered(row)).length);
  const now = Date.now();
  const targets = rows.filter(({ isDone }) => !isDone).toSorted((one, other) => compareUrgency(one, other, now));
  const failed = new AbortController();
  const store = storeOf(
    (batch) => advance(batch.length, batch.filter(({ found }) => isUnanswered(found)).length),
    () => failed.abort(),
  );
  try {
    await lookUpExpiries<ExpiryRow>({
      targets,
      signal: AbortSignal.any([signal, failed.signal]),
      isOpen: async (same) => {
        const ids = same.map(({ id }) => id);
        return (await countLookedUpSince(ids, operation.created_at)) < ids.length;
      },
      onFound: ({ id, domain_name }, found) => {
        if (found) store.add({ id, domain_name, found });
        else advance(1);
      },
    });
  } finally {
    await store.finish();
  }
  return {};
}

/** The flow of look-ups. After a crash it does not repeat look-ups whose results are stored. */
export const expiryFlow: Flow = {
  kind: KIND,
  forgottenHours: FORGOTTEN_HOURS,
  slow: true,
  steps: () => [inStepSpan('check expiry', { name: 'expiry', run: runExpiry })],
  total: async (operation) => (await rowsOf(operation)).length,
  finished: async ({ user_id, done, failed }): Promise<Message> => {
    const n = await countDoubts(await actorOf(user_id));
    const message: Message = { key: 'expiry.finished', params: { done, failed } };
    return n === 0 ? message : { ...message, also: [{ key: 'expiry.doubts', params: { n } }] };
  },
};

/** Returns what is stored of registrations in a part of the portfolio, by name. */
export async function listRegistrations(actor: Actor, part: ExpiryRequest): Promise<Registration<Message>[]> {
  return (await listExpiryRows(actor, part)).map((row) => registrationOf(row.domain_name, row));
}

/**
 * Looks hosts up by name, and stores what is found of those in the actor's portfolio; a date in doubt of others is shown as it
 * is. `onItem` gets each result.
 */
export async function lookUpNames(
  actor: Actor,
  hosts: readonly string[],
  { onItem, signal }: { onItem: (item: Registration<Message>) => void; signal: AbortSignal },
): Promise<void> {
  const known = new Map((await listExpiryRows(actor, { names: hosts })).map((row) => [row.domain_name, row]));
  type Target = ExpiryTarget & { id?: number };
  const targets = hosts.map(
    (domain_name): Target =>
      known.get(domain_name) ?? { domain_name, registrars_id: null, expired_at: null, registration: null },
  );
  const stored: Promise<void>[] = [];
  const failed = new AbortController();
  await lookUpExpiries<Target>({
    targets,
    signal: AbortSignal.any([signal, failed.signal]),
    isForced: true,
    isOpen: async () => true,
    onFound: (target, found) => {
      if (!found) return;
      const { id, domain_name } = target;
      const show = async (): Promise<void> => {
        if (id !== undefined) await transaction(() => storeFound([{ id, domain_name, found }]));
        const [row] = id === undefined ? [] : await listExpiryRowsById([id]);
        onItem(registrationOf(domain_name, row ?? factsAfter(0, target, found, new Date())));
      };
      const shown = show();
      // Thrown at the end, when the others are stored.
      shown.catch(() => failed.abort());
      stored.push(shown);
    },
  });
  await Promise.all(stored);
}
