import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Device, Engine } from '../../shared/engines.ts';
import { defineSearchSource, type Call, type Login, type StartedTask } from '../provider.ts';
import { exchangeOf, parseJson, type Exchange, type Service } from '../registrars/exchange.ts';
import { indexedIn, resultsIn } from './arsenkin-results.ts';

/** Arsenkin Tools: tasks that are set, asked for and fetched. Facts: help.arsenkin.ru/api as clients quote it. */
const SERVICE: Service = {
  id: 'arsenkin',
  url: 'https://arsenkin.ru/api/tools',
  // The service allows thirty.
  pace: { calls: 27, seconds: 60, atOnce: 4, shared: true },
};
const POLLS = { name: 'check', pace: { calls: 1, seconds: 5, atOnce: 1, shared: true } } as const;
const FIELDS = { token: 'secret' } as const;
type Own = Login<typeof FIELDS>;

const Answer = z.looseObject({
  code: z.union([z.string(), z.number()]).transform(String).optional().catch(undefined),
  status: z.unknown().optional(),
  error: z.unknown().optional(),
});
type Answer = z.output<typeof Answer>;
const Limits = z.looseObject({
  limits_total: z.union([z.number(), z.string().regex(/^-?\d+(?:\.\d+)?$/)]).transform(String),
});
const Task = z.looseObject({
  task_id: z.union([z.string().regex(/^\S{1,100}$/), z.number()]).transform(String),
  cost: z
    .union([z.number().min(0).max(1e9), z.string().regex(/^\d{1,9}(?:\.\d+)?$/)])
    .transform((cost) => Math.ceil(Number(cost)))
    .nullable()
    .catch(null),
});
// A task that waits may be without a status.
const Status = z
  .looseObject({ code: z.literal('TASK_STATUS').optional(), status: z.string().catch('') })
  .refine(({ code, status }) => code !== undefined || status !== '');
const FAILED = new Set(['error', 'failed', 'cancelled', 'canceled']);
const NOT_READY = 'RESULT_ERROR';
// Limits of calls a minute and of tasks at once, which are no lack of money.
const MANY = /too many|per minute|rate limit|в минуту|слишком много|одновременн|очеред/i;

/** The `se.type` of a task, by engine and device. */
const TYPES: Readonly<Record<Engine, Record<Device, number>>> = {
  yandex: { desktop: 2, mobile: 3 },
  google: { desktop: 11, mobile: 12 },
};
const DEPTHS = [30, 50, 100];

/** Opens the exchange of a token, whose queue is known by a part of its hash. */
const open = ({ token }: Own, call: Call): Exchange =>
  exchangeOf(SERVICE, createHash('sha256').update(token).digest('hex').slice(0, 12), [token], call);

/** Returns the text of a refusal; null: it is none. */
function refusalIn({ error, status }: Answer): string | null {
  if (typeof error === 'string' && error !== '') return error;
  if (typeof error === 'object' && error !== null) return JSON.stringify(error);
  return error === true || status === 'Error' ? 'an error without a text' : null;
}

/** Makes one call. `sets`: it begins a task, which is charged. */
async function post(login: Own, call: Call, path: string, body: object, more: { sets?: true; polls?: true } = {}) {
  const exchange = open(login, call);
  // No header may hold anything else, and what refuses it would repeat it.
  if (!/^[\x21-\x7e]+$/.test(login.token)) throw exchange.error('credentials', 'no token', { unsent: true });
  const { status, text } = await exchange.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${login.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(more.sets && { pays: true }),
    ...(more.polls && { paced: POLLS }),
  });
  if (status === 401 || status === 403) throw exchange.error('credentials', `HTTP ${status}`, { status });
  const answer = exchange.read(Answer, parseJson(text));
  const { code } = answer;
  if (code === NOT_READY) return answer;
  const said = refusalIn(answer);
  if (said === null && status < 400) return answer;
  const told = `${said ?? 'no text'} (${code ?? `HTTP ${status}`})`;
  if (code === '401' || code === '403') throw exchange.error('credentials', told, { status, code });
  if (code === '429') throw exchange.error('rate_limited', told, { status, code });
  if (status !== 402 && MANY.test(said ?? '')) throw exchange.error('rate_limited', told, { status, code });
  const isMoney = status === 402 || code === '402' || (status !== 422 && /limit|лимит/i.test(said ?? ''));
  throw exchange.error('refused', told, { status, code, ...(isMoney && { reason: 'no_money' }) });
}

async function start(login: Own, call: Call, tools_name: string, data: object): Promise<StartedTask> {
  const answer = await post(login, call, '/set', { tools_name, data }, { sets: true });
  const { task_id, cost } = open(login, call).read(Task, answer);
  return { id: task_id, cost };
}

/** Returns the result of a task; null: it is not there yet. Throws `refused` where the task has failed. */
async function resultOf(login: Own, call: Call, task_id: string): Promise<{ value: unknown } | null> {
  const exchange = open(login, call);
  const { status } = exchange.read(Status, await post(login, call, '/check', { task_id }, { polls: true }));
  if (FAILED.has(status.toLowerCase())) throw exchange.error('refused', `task: ${status}`);
  if (status.toLowerCase() !== 'finish') return null;
  const answer = await post(login, call, '/get', { task_id });
  if (answer.code === NOT_READY) return null;
  if (!('result' in answer)) throw exchange.error('malformed', 'a task without a result');
  return { value: answer['result'] };
}

export const arsenkin = defineSearchSource({
  id: 'arsenkin',
  fields: FIELDS,

  async testLogin(login, call) {
    await post(login, call, '/info', { query: 'limits' });
  },
  async readBalance(login, call) {
    const { limits_total } = open(login, call).read(Limits, await post(login, call, '/info', { query: 'limits' }));
    return { amount: limits_total, currency: 'limits' };
  },

  startResults: (login, { engine, device, region, keywords, depth }, call) =>
    start(login, call, 'check-top', {
      queries: keywords,
      is_snippet: false,
      noreask: true,
      se: [{ type: TYPES[engine][device], region: Number(region) }],
      depth: DEPTHS.find((known) => known >= depth) ?? 100,
    }),
  async readResults(login, { keywords, depth }, id, call) {
    const result = await resultOf(login, call, id);
    return result && resultsIn(result.value, keywords).map((urls) => urls && urls.slice(0, depth));
  },

  startIndexed: (login, engines, hosts, call) =>
    start(login, call, 'indexation', {
      queries: hosts.map((host) => `https://${host}/`),
      yandex: engines.includes('yandex'),
      google: engines.includes('google'),
      search_all: true,
      inurl: false,
    }),
  async readIndexed(login, engines, hosts, id, call) {
    const result = await resultOf(login, call, id);
    return result && indexedIn(result.value, engines, hosts);
  },
});
