import { createServer } from 'node:http';
import { bodyOf, onLoopback } from '../loopback.ts';
import { dayOf } from '../../shared/positions/places.ts';
import type { Device, Engine } from '../../shared/engines.ts';
import { isInIndex, resultsAt, type Web } from './web.ts';

/** A task that was set, and how often it was asked for and fetched. */
export interface ArsenkinTask {
  tool: string;
  token: string;
  data: { queries: string[] } & Record<string, unknown>;
  polls: number;
  fetched: number;
}

/** State of the fake: the limits that each token has left, and the tasks that were set. `rejects` are queries that spoil a task. */
export interface ArsenkinState {
  tokens: Record<string, number>;
  web: Web;
  tasks?: ArsenkinTask[];
  rejects?: string[];
}

/**
 * A fault of the next calls of a path: `body` answers with a text, `lost` does the work and closes the connection, `hang` does it and
 * never answers, `without` leaves the results of some queries out. `retryAfter` is sent with a `body`.
 */
export interface ArsenkinFault {
  path: string;
  kind: 'body' | 'lost' | 'hang' | 'without';
  body?: string;
  status?: number;
  retryAfter?: number;
  queries?: string[];
  times: number;
}

/** A running fake of Arsenkin Tools. `tasks` are those of its state; `calls.most` is how many of a token ran at once at most. */
export interface ArsenkinFake {
  url: string;
  state: ArsenkinState;
  faults: ArsenkinFault[];
  tasks: ArsenkinTask[];
  calls: { most: number };
  close: () => Promise<void>;
}

const TOOLS = new Set(['indexation', 'check-top']);
const COST = 2;
// A task is ready when it was asked for so often.
const POLLS = 2;

type Reply = [status: number, body: object];

const REFUSED: Reply = [401, { status: 'Error', code: '401', error: 'Unauthorized' }];

/** Returns the results of a task of `check-top`: none for the queries `without`. */
function listsOf(
  web: Web,
  { queries, se, depth }: ArsenkinTask['data'],
  day: number,
  without: readonly string[],
): object {
  const [{ type = 2, region = 213 } = {}] = se as { type?: number; region?: number }[];
  const engine: Engine = type > 10 ? 'google' : 'yandex';
  const device: Device = type === 3 || type === 12 ? 'mobile' : 'desktop';
  const lists = queries.map((keyword) =>
    without.includes(keyword)
      ? []
      : resultsAt(web, { engine, keyword, region: String(region), device }, day).slice(0, Number(depth)),
  );
  return { result: { collect: [lists], snippets: {} } };
}

/** Returns the results of a task of `indexation`: unknown for the queries `without`. */
function indexOf(
  web: Web,
  { queries, yandex, google }: ArsenkinTask['data'],
  day: number,
  without: readonly string[],
): object {
  const verdicts = (engine: 'yandex' | 'google'): object =>
    Object.fromEntries(
      queries.map((url, index) => [
        String(index),
        { url, index: without.includes(url) ? '?' : isInIndex(web, engine, new URL(url).hostname, day) },
      ]),
    );
  return { ...(yandex === true && { y: verdicts('yandex') }), ...(google === true && { g: verdicts('google') }) };
}

interface ArsenkinOptions {
  now?: () => number;
  onChange?: () => void;
}

/** Returns the function that answers a call of a path; it knows neither HTTP nor faults. */
function repliesOf(
  { state, tasks, calls }: Pick<ArsenkinFake, 'state' | 'tasks' | 'calls'>,
  { now = Date.now, onChange }: ArsenkinOptions,
): (path: string, token: string, body: Record<string, unknown>, without: readonly string[]) => Reply {
  const set = (token: string, limits: number, body: Record<string, unknown>): Reply => {
    const data = body['data'] as ArsenkinTask['data'];
    const tool = String(body['tools_name']);
    if (!TOOLS.has(tool)) return [404, { code: 'WRONG_TOOL', error: 'Wrong tool' }];
    if (data.queries.some((query) => state.rejects?.includes(query)))
      return [422, { code: 'JSON_VALIDATION_ERROR', error: 'Validation error' }];
    const engines = tool === 'indexation' ? Number(data['yandex']) + Number(data['google']) : 1;
    const cost = data.queries.length * COST * engines;
    if (cost > limits) return [402, { status: 'Error', code: '402', error: 'Not enough limits' }];
    state.tokens[token] = limits - cost;
    const task_id = tasks.push({ tool, token, data, polls: 0, fetched: 0 });
    calls.most = Math.max(calls.most, tasks.filter((one) => one.token === token && one.polls < POLLS).length);
    onChange?.();
    return [200, { code: 'SET_TASK_OK', task_id, cost }];
  };

  return (path, token, body, without) => {
    const limits = state.tokens[token];
    if (limits === undefined) return REFUSED;
    if (path === '/info') return [200, { code: 'TOTAL_LIMITS', limits_total: limits }];
    if (path === '/set') return set(token, limits, body);
    const task = tasks[Number(body['task_id']) - 1];
    if (!task || task.token !== token) return [404, { code: 'NO_TASK', error: 'No such task' }];
    if (path === '/check') {
      task.polls += 1;
      const isDone = task.polls >= POLLS;
      return [200, { code: 'TASK_STATUS', status: isDone ? 'finish' : 'process', progress: isDone ? 100 : '50%' }];
    }
    task.fetched += 1;
    const resultOf = task.tool === 'indexation' ? indexOf : listsOf;
    const result = resultOf(state.web, task.data, dayOf(now()), without);
    return [200, { code: 'TASK_RESULT', task_id: String(body['task_id']), result }];
  };
}

/** Starts the fake. */
export async function startArsenkin(state: ArsenkinState, options: ArsenkinOptions = {}): Promise<ArsenkinFake> {
  const tasks = (state.tasks ??= []);
  const faults: ArsenkinFault[] = [];
  const calls = { most: 0 };
  const reply = repliesOf({ state, tasks, calls }, options);

  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
      const path = request.url ?? '/';
      const given = await bodyOf(request);
      const fault = faults.find((one) => one.path === path);
      if (fault) fault.times -= 1;
      if (fault && fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
      if (fault?.kind === 'body') {
        const wait = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
        return void response.writeHead(fault.status ?? 200, wait).end(fault.body);
      }
      const [status, body] = reply(path, token, given, fault?.queries ?? []);
      if (fault?.kind === 'hang') return;
      if (fault?.kind === 'lost') return void response.destroy();
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    void handle().catch(() => response.destroy());
  });
  return { ...(await onLoopback(server)), state, faults, tasks, calls };
}
