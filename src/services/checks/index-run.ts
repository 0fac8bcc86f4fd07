import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import type { StepContext } from '../../operations/flow.ts';
import { messageFor, patiently } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import { isDoubtful, spanAfter, type IndexAnswer } from '../../shared/checks/indexation.ts';
import type { IndexationSpanRow } from '../../shared/checks/tables.ts';
import type { Engine } from '../../shared/engines.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { listSearchAccounts, searchCallOf, type SearchAccount } from '../accounts/search-accounts.ts';
import { keepFound } from './check-results.ts';
import { listNewestSpans, setIndexed, upsertSpan, type IndexTarget } from './index-rows.ts';

const AT_ONCE = 10;
const TRIES = 4;
const USUAL_PAUSE = 5;

type Spans = Map<string, IndexationSpanRow>;
const nameOf = ({ domain_id, engine }: Pick<IndexAnswer, 'domain_id' | 'engine'>): string => `${domain_id} ${engine}`;

/** A run of a check. */
export interface IndexRun {
  operation_id: number;
  engines: readonly Engine[];
  /** When the check was asked for: what was answered since is not asked again. */
  since: string;
  spans: Spans;
  /** Names of the domains at the start of the run, by id. */
  names: ReadonlyMap<number, string>;
  /** Answers that a domain is no longer there: they are stored last, once it is known how many there are. */
  gone: IndexAnswer[];
  signal: AbortSignal;
  advance: StepContext['advance'];
}

/** Opens a run with what is known of its domains. */
export async function openIndexRun(
  targets: readonly IndexTarget[],
  run: Omit<IndexRun, 'spans' | 'names' | 'gone'>,
): Promise<IndexRun> {
  const spans = await listNewestSpans(targets.map(({ id }) => id));
  const names = new Map(targets.map(({ id, domain_name }) => [id, domain_name]));
  return { ...run, spans: new Map(spans.map((span) => [nameOf(span), span])), names, gone: [] };
}

const isDone = ({ spans, since }: IndexRun, domain_id: number, engine: Engine): boolean => {
  const span = spans.get(nameOf({ domain_id, engine }));
  return span !== undefined && (span.doubted_at ?? span.last_checked_at) >= since;
};

/** Whether an engine has not answered for a domain since the check was asked for. */
export const isOpen = (run: IndexRun, { id }: IndexTarget): boolean =>
  run.engines.some((engine) => !isDone(run, id, engine));

const isGone = ({ spans }: IndexRun, answer: IndexAnswer): boolean =>
  !answer.indexed && spans.get(nameOf(answer))?.indexed === 1;

/** Stores answers by what is known of their domains; those about a domain that has got another name since are left out. */
const store = (answers: readonly IndexAnswer[], { spans, names }: IndexRun, isMass = false): Promise<void> =>
  transaction(async () => {
    const now = new Date().toISOString();
    for (const answer of answers) {
      const span = spanAfter(spans.get(nameOf(answer)), answer, now, isMass);
      const { domain_id: id, engine } = answer;
      if ((await setIndexed({ id, domain_name: names.get(id) ?? '' }, engine, span.indexed, now)) === 0) continue;
      spans.set(nameOf(answer), span);
      await upsertSpan(span);
    }
  });

/** Whether a request is not made again: it is refused, or what has come was paid, and can't be read. */
const isFinal = ({ kind, unanswered }: ProviderError): boolean =>
  kind === 'credentials' || kind === 'refused' || (kind === 'malformed' && !unanswered);

/** Makes a request, again after a temporary failure. Throws ProviderError. */
async function withTries<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (error) {
      if (tries === TRIES || !(error instanceof ProviderError) || isFinal(error)) throw error;
      const seconds = (error.retryAfter ?? USUAL_PAUSE) * (config().searchPace ? 0.02 : 1);
      await sleep(seconds * 1_000, undefined, { signal });
    }
  }
}

/** Asks an engine about a host. A retry pays only for the requests that were not answered. Throws ProviderError. */
function ask(account: SearchAccount, engine: Engine, host: string, signal: AbortSignal): Promise<boolean> {
  const login = { login: account.login['login'] ?? '', key: account.login['key'] ?? '' };
  const call = searchCallOf('xmlriver', signal);
  return xmlriver.isIndexed(login, engine, host, call, (request) => withTries(request, signal));
}

/**
 * Asks XMLRiver about each domain. Returns why domains are left, if there are any. A name for which the answer was not understood is
 * kept with the operation.
 */
export async function checkSingly(run: IndexRun, targets: readonly IndexTarget[]): Promise<Message | null> {
  const { operation_id, engines, gone, signal, advance } = run;
  const [account] = await listSearchAccounts('xmlriver');
  if (!account) return { key: 'indexation.no_account' };
  let failure: Message | null = null;
  let broken: unknown;
  let isOver = false;
  // Each answer is stored at once: it is paid, whatever becomes of the next one.
  const askOpen = async ({ id, domain_name }: IndexTarget): Promise<void> => {
    for (const one of engines) {
      if (isDone(run, id, one)) continue;
      const answer = { domain_id: id, engine: one, indexed: await ask(account, one, domain_name, signal) };
      if (isGone(run, answer)) gone.push(answer);
      else await patiently(() => store([answer], run), signal);
    }
  };
  const check = async (target: IndexTarget): Promise<void> => {
    if (isOver || signal.aborted) return;
    try {
      await askOpen(target);
      advance(1);
    } catch (error) {
      if (signal.aborted) return;
      const isInVain = error instanceof ProviderError && error.kind === 'malformed';
      if (isInVain) await patiently(() => keepFound(operation_id, [{ domain: target.domain_name }]), signal);
      const told = messageFor(error);
      failure ??= told;
      if (!told) broken ??= error;
      isOver ||= !told || (error instanceof ProviderError && ['credentials', 'refused'].includes(error.kind));
      advance(1, 1);
    }
  };
  const limit = pLimit(AT_ONCE);
  await Promise.all(targets.map((target) => limit(() => check(target))));
  if (broken !== undefined && !signal.aborted) throw broken;
  return failure;
}

/** Prepares the verdicts of a task, and returns what writes them: those that a domain is gone wait for the end. */
export function verdictsOf(run: IndexRun, answers: readonly IndexAnswer[]): () => Promise<void> {
  const left = answers.filter((answer) => isGone(run, answer));
  run.gone.push(...left);
  const rest = answers.filter((answer) => !left.includes(answer));
  return () => store(rest, run);
}

async function storeGoneOf(run: IndexRun, engine: Engine): Promise<Message | null> {
  const { spans, since, gone } = run;
  const answers = gone.filter((answer) => answer.engine === engine);
  const indexed = [...spans.values()].filter((span) => span.engine === engine && span.indexed === 1);
  const there = indexed.filter(({ last_checked_at }) => last_checked_at >= since);
  // The "gone" answers that an earlier run of the check has got.
  const doubted = indexed.filter(({ doubted_at }) => doubted_at !== null && doubted_at >= since);
  const lost = answers.length + doubted.length;
  const asked = there.length + lost;
  const isMass = isDoubtful(asked, lost);
  await store(answers, run, isMass);
  const left = answers.filter((answer) => spans.get(nameOf(answer))?.indexed === 1).length + doubted.length;
  return isMass && left > 0 ? { key: 'indexation.doubtful', params: { gone: lost, indexed: asked } } : null;
}

/** Stores that domains are gone, unless too many are at once. Returns the doubt that stays; null: there is none. */
export async function storeGone(run: IndexRun): Promise<Message | null> {
  let doubt: Message | null = null;
  for (const engine of run.engines) doubt = (await storeGoneOf(run, engine)) ?? doubt;
  return doubt;
}
