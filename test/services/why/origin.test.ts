// Answers of a server, and of a CDN about it, to a ladder: codes without a known server, broken chains, hostile bodies, no answer.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { executeUnaudited, select, transaction } from '../../../db/index.ts';
import { startAuthority } from '../../../src/demo/sites/certificate.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { diagnose } from '../../../src/services/why/why.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import { MAIN } from '../../support/moves-portfolio.ts';
import { page, status, type Handler } from './host.ts';
import { edge, MAIN_ID, origin, silent, useWhy, why } from './world.ts';

useWhy();

const change = (set: string): Promise<unknown> =>
  transaction(() => executeUnaudited('check', `UPDATE domains SET ${set} WHERE id = ${MAIN_ID}`));

describe('a code of the CDN about what stands behind it', () => {
  test.each([
    [520, 'server'],
    [521, 'server'],
    [522, 'server'],
    [523, 'server'],
    [524, 'server'],
    [525, 'server'],
    [526, 'server'],
    [527, 'server'],
    [530, 'dns'],
  ])('%d is told at the edge where no server is known', async (code, act) => {
    await change('server_id = NULL');
    edge.answer = status(code);
    const asked = await why();
    expect({ broken: asked.broken, act: asked.act }).toEqual({ broken: 'edge', act });
    expect(asked.sentence).toContain(`(${code})`);
    expect(asked.states['origin']).toBe('not_asked');
    expect(origin.asked).toEqual([]);
  });

  test('is an error like any other where it comes from the server itself', async () => {
    edge.answer = status(522);
    origin.answer = status(522);
    const asked = await why();
    expect(asked).toMatchObject({ broken: 'origin', act: 'server' });
    expect(asked.sentence).toContain('HTTP 522');
  });

  test('that it does not have is no such code', async () => {
    await change('server_id = NULL');
    edge.answer = status(529);
    const asked = await why();
    expect(asked).toMatchObject({ broken: 'edge', act: 'server' });
    expect(asked.sentence).toContain('529');
  });
});

describe('a chain at the server', () => {
  const stranger = startAuthority();
  const [ownKey = '', ownCert = ''] = ['key', 'cert'].map((part) =>
    readFileSync(`test/corpus/tls/${part}.pem`, 'utf8'),
  );
  const chains = [
    [
      'of an authority that nobody knows',
      () => void (origin.certificate = (name) => stranger.issue(name)),
      'cannot be trusted',
    ],
    [
      'that is its own authority',
      () => void (origin.certificate = () => ({ key: ownKey, cert: ownCert })),
      'self-signed',
    ],
    [
      'that has expired',
      () => void (origin.certificate = (name) => origin.issue(name, new Date('2024-01-01'))),
      'has expired',
    ],
  ] as const;

  test.each(chains)('%s is told and not broken where the CDN accepts it', async (_what, breakIt, words) => {
    breakIt();
    const { broken, states, sentences } = await why();
    expect({ broken, layer: states['origin_certificate'] }).toEqual({ broken: null, layer: 'ok' });
    expect(sentences['origin_certificate']).toMatch(words);
  });

  test.each(chains)('%s is broken where the CDN refuses it', async (_what, breakIt, words) => {
    breakIt();
    edge.answer = status(526);
    const asked = await why();
    expect(asked).toMatchObject({ broken: 'origin_certificate', act: 'server' });
    expect(asked.sentence).toMatch(words);
  });
});

/** Sends words without an end. */
const endless: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const more = (): void => {
    while (!response.destroyed && response.write('words and words '.repeat(4_096)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
/** Sends the head at once, and then a byte now and then. */
const slow: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const timer = setInterval(() => response.write('x'), 200);
  response.on('close', () => clearInterval(timer));
};
const binary: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7919) % 256)));
};

describe('a body at the server', () => {
  test.each([
    ['without an end', endless],
    ['of binary', binary],
    ['that is a script', page('<script>alert(1)</script>', '<script>alert(2)</script>')],
  ])('%s is an answer', async (_what, answer) => {
    origin.answer = answer;
    const { broken, states, sentences } = await why();
    expect({ broken, origin: states['origin'] }).toEqual({ broken: null, origin: 'ok' });
    expect(sentences['origin']).toBe(`The server ${SERVER_IP} answers: HTTP 200`);
  });

  test('that comes byte by byte ends, and the server is told', async () => {
    origin.answer = slow;
    const asked = await why();
    expect(asked.states['edge']).toBe('ok');
    expect(asked.sentences['origin']).toContain(SERVER_IP);
    expect(['ok', 'broken']).toContain(asked.states['origin']);
  });

  test('puts no tag and no control character into what is kept', async () => {
    edge.answer = page('<script>alert(1)</script>\u0007', '<script>alert(2)</script> words that are read');
    await why();
    edge.answer = binary;
    await why();
    const [row] = await select<{ steps: string }>('SELECT steps FROM diagnoses');
    // oxlint-disable-next-line no-control-regex
    expect(row?.steps).not.toMatch(/[\u0000-\u001F]|alert\(2\)/);
  });
});

test('at the limit a ladder ends: what is not told by then is unknown and kept, and nothing more is asked', async () => {
  silent.add(MAIN);
  const { broken, act, steps } = await diagnose(SYSTEM, MAIN_ID, 50);
  expect({ broken, act }).toEqual({ broken: null, act: null });
  expect(steps.map(({ state, message }) => [state, message?.key])).toEqual(
    steps.map(() => ['unknown', 'why.out_of_time']),
  );
  expect([...edge.asked, ...origin.asked]).toEqual([]);
  expect(await select('SELECT broken FROM diagnoses')).toEqual([{ broken: null }]);
});
