// Every route of the server × every way in which an object may belong to another user: the answer is as decided, nothing is
// changed, and nothing of the other user is revealed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../../src/api/index.ts';
import { routesInTurn } from '../calls.ts';
import { storedIn, type Stored } from '../stored.ts';
import { DECISIONS } from './matrix-decisions.ts';
import type { Probe } from './matrix-probes.ts';
import { KEPT } from './matrix-outside.ts';
import { startMatrix, type Matrix } from './matrix-world.ts';

let matrix: Matrix;
let dump: Stored;

beforeAll(async () => {
  matrix = await startMatrix();
  dump = storedIn(matrix.cdn.server.config);
});
afterAll(() => matrix?.close());

// Names in the caller's own rows reveal nothing about another user.
const OWN_NAMES = [`x.${KEPT.zone}`, KEPT.other, '/srv/kept-other'];

/** Returns the texts of the victim that an answer contains and the call did not. */
function toldOf(text: string, said: string, login: string): string[] {
  const rest = OWN_NAMES.reduce((left, name) => left.replaceAll(name, ''), text);
  return [...Object.values(KEPT), login].filter((kept) => rest.includes(kept) && !said.includes(kept));
}

const pathOf = (path: string, values: readonly (number | string)[] = []): string => {
  const left = values.map(String);
  return path.replaceAll(/[:*]\w+/g, () => left.shift() ?? '');
};

const probesOf = (name: string): Probe[] => {
  const decision = DECISIONS[name];
  return typeof decision === 'function' ? decision(matrix) : [];
};
const isWalked = (name: string): boolean => typeof DECISIONS[name] === 'function';

test('every route has a decision, every decision its route, and every id in a path its probes', () => {
  expect(Object.keys(DECISIONS).toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  const walked = routes.filter(({ name }) => isWalked(name));
  expect(walked.filter(({ name }) => probesOf(name).length === 0)).toEqual([]);
  const left = routes.filter(({ name }) => !isWalked(name));
  expect(left.filter(({ path, route }) => /[:*]/.test(path) && route.access !== 'admin')).toEqual([]);
});

/** Makes one call; returns the decided parts of its answer, the victim's texts in it, and the states that it changed. */
async function play(method: string, path: string, probe: Probe) {
  const { relation, query = '', body, code, error, own, asks, counts, says = '' } = probe;
  // A password that the caller confirms himself by is a try of his own, which counts.
  const leaves = ['sign_in_tries', ...(asks ? ['call_budgets'] : [])];
  const at = pathOf(path, probe.path) + query;
  const before = [await matrix.ofVictim(), await dump(leaves), matrix.outside()];
  const answer = await matrix.ask(matrix.attacker, `${method} ${at}`, body);
  await matrix.settled();
  const after = [await matrix.ofVictim(), await dump(leaves), matrix.outside()];
  const said = at + says + (body instanceof FormData ? '' : JSON.stringify(body ?? ''));
  return {
    relation,
    at,
    status: answer.status,
    ...(code !== undefined && { code: answer.body?.code as string }),
    ...(error !== undefined && { error: answer.body?.error as string }),
    ...(counts && { counts: answer.body?.counts as object }),
    told: toldOf(answer.text, said, matrix.victim.login),
    changed: ['the victim’s', 'rows', 'outside'].filter(
      (_, index) => before[index] !== after[index] && (index === 0 || own !== true),
    ),
  };
}

// Each route is asked on one of the two databases.
describe.each(routesInTurn.filter(({ name }) => isWalked(name)))('$name', ({ name, method, path }) => {
  test('answers as decided, changes nothing of another user and reveals nothing', async () => {
    for (const probe of probesOf(name)) {
      const { relation, status, code, error, counts } = probe;
      expect(await play(method, path, probe)).toMatchObject({
        relation,
        status,
        ...(code !== undefined && { code }),
        ...(error !== undefined && { error }),
        ...(counts && { counts }),
        told: [],
        changed: [],
      });
    }
  });
});
