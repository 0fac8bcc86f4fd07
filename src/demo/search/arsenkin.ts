import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dayOf } from '../../shared/positions/places.ts';
import type { Device, Engine } from '../../shared/engines.ts';
import { isInIndex, resultsAt, type Web } from './web.ts';

/** What the service knows: the limits of each token. */
export interface ArsenkinState {
  tokens: Record<string, number>;
  web: Web;
}

/** A fault of the next calls of a path: `body` answers with a text, `lost` does the work and closes the connection. */
export interface ArsenkinFault {
  path: string;
  kind: 'body' | 'lost';
  body?: string;
  status?: number;
  times: number;
}

/** A running fake of Arsenkin Tools. `tasks` are those that were set. */
export interface ArsenkinFake {
  url: string;
  state: ArsenkinState;
  faults: ArsenkinFault[];
  tasks: { tool: string; data: Record<string, unknown>; polls: number }[];
  close: () => Promise<void>;
}

const TOOLS = new Set(['indexation', 'check-top']);
const COST = 2;
// A task is ready when it was asked for so often.
const POLLS = 2;

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>;
}

type Reply = [status: number, body: object];

const REFUSED: Reply = [401, { status: 'Error', code: '401', error: 'Unauthorized' }];

/** Starts the fake. */
export async function startArsenkin(
  state: ArsenkinState,
  { now = Date.now }: { now?: () => number } = {},
): Promise<ArsenkinFake> {
  const tasks: ArsenkinFake['tasks'] = [];
  const faults: ArsenkinFault[] = [];

  const listsOf = ({ queries, se, depth }: Record<string, unknown>): object => {
    const [{ type = 2, region = 213 } = {}] = se as { type?: number; region?: number }[];
    const engine: Engine = type > 10 ? 'google' : 'yandex';
    const device: Device = type === 3 || type === 12 ? 'mobile' : 'desktop';
    const day = dayOf(now());
    const lists = (queries as string[]).map((keyword) =>
      resultsAt(state.web, { engine, keyword, region: String(region), device }, day).slice(0, Number(depth)),
    );
    return { result: { collect: [lists], snippets: {} } };
  };

  const indexOf = ({ queries, yandex, google }: Record<string, unknown>): object => {
    const day = dayOf(now());
    const verdicts = (engine: 'yandex' | 'google'): object =>
      Object.fromEntries(
        (queries as string[]).map((url, index) => [
          String(index),
          { url, index: isInIndex(state.web, engine, new URL(url).hostname, day) },
        ]),
      );
    return { ...(yandex === true && { y: verdicts('yandex') }), ...(google === true && { g: verdicts('google') }) };
  };

  const reply = (path: string, token: string, body: Record<string, unknown>): Reply => {
    const limits = state.tokens[token];
    if (limits === undefined) return REFUSED;
    if (path === '/info') return [200, { code: 'TOTAL_LIMITS', limits_total: limits }];
    if (path === '/set') {
      const data = body['data'] as Record<string, unknown> & { queries: string[] };
      const tool = String(body['tools_name']);
      if (!TOOLS.has(tool)) return [404, { code: 'WRONG_TOOL', error: 'Wrong tool' }];
      const engines = tool === 'indexation' ? Number(data['yandex']) + Number(data['google']) : 1;
      const cost = data.queries.length * COST * engines;
      if (cost > limits) return [402, { status: 'Error', code: '402', error: 'Not enough limits' }];
      state.tokens[token] = limits - cost;
      return [200, { code: 'SET_TASK_OK', task_id: tasks.push({ tool, data, polls: 0 }), cost }];
    }
    const task = tasks[Number(body['task_id']) - 1];
    if (!task) return [404, { code: 'NO_TASK', error: 'No such task' }];
    if (path === '/check') {
      task.polls += 1;
      const isDone = task.polls >= POLLS;
      return [200, { code: 'TASK_STATUS', status: isDone ? 'finish' : 'process', progress: isDone ? 100 : '50%' }];
    }
    return [
      200,
      {
        code: 'TASK_RESULT',
        task_id: String(body['task_id']),
        result: task.tool === 'indexation' ? indexOf(task.data) : listsOf(task.data),
      },
    ];
  };

  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
      const path = request.url ?? '/';
      const given = await bodyOf(request);
      const fault = faults.find((one) => one.path === path);
      if (fault) fault.times -= 1;
      if (fault && fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
      if (fault?.kind === 'body') return void response.writeHead(fault.status ?? 200).end(fault.body);
      const [status, body] = reply(path, token, given);
      if (fault?.kind === 'lost') return void response.destroy();
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    void handle();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    state,
    faults,
    tasks,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
