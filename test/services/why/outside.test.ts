// A layer that cannot be told is unknown, hostile servers end, and nobody learns of what is another’s.
import { describe, expect, test } from 'vitest';
import { execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { diagnose, findDiagnosis } from '../../../src/services/why/why.ts';
import { MAIN, RESERVE } from '../../support/moves-portfolio.ts';
import { page } from './host.ts';
import { edge, entry, MAIN_ID, moves, origin, reach, registry, silent, useWhy, why } from './world.ts';

useWhy();

const stranger: Actor = { id: 99, login: 'stranger', role: 'user' };
const owner: Actor = { id: 1, login: 'owner', role: 'user' };

const change = (set: string): Promise<unknown> =>
  transaction(() => executeUnaudited('check', `UPDATE domains SET ${set} WHERE id = ${MAIN_ID}`));

describe('unknown, and the ladder goes on', () => {
  test('where the registry does not answer in time', async () => {
    silent.add(MAIN);
    const { broken, sentence, states, sentences } = await why();
    expect({ broken, registrar: states['registrar'] }).toEqual({ broken: null, registrar: 'unknown' });
    expect(sentences['registrar']).toBe('The registry did not answer in time');
    expect(sentence).toContain('Could not be told: 1 layer');
    expect(states['edge']).toBe('ok');
  });

  test('where the CDN refuses the account’s key, which is what a person can mend', async () => {
    const logins = structuredClone(moves.fake.state.logins);
    for (const login of moves.fake.state.logins) if (login.api_key) login.api_key = 'f'.repeat(37);
    const asked = await why().finally(() => Object.assign(moves.fake.state.logins, logins));
    expect({ broken: asked.broken, act: asked.act }).toEqual({ broken: null, act: 'account' });
    expect(asked.states).toMatchObject({ zone: 'unknown', records: 'ok', edge: 'ok', blocklist: 'ok' });
  });

  test('where our own name server does not answer', async () => {
    reach({ connectTo: '', dns: '127.0.0.1:9' });
    await change('cloudflare_account_id = NULL, server_id = NULL');
    const { broken, states } = await why();
    expect({ broken, ...states }).toMatchObject({
      broken: null,
      zone: 'none',
      records: 'unknown',
      edge_certificate: 'unknown',
      edge: 'unknown',
      origin: 'none',
      redirect: 'unknown',
      blocklist: 'ok',
    });
  });
});

test('layers that do not apply are not fine: without an account and a server', async () => {
  await change('cloudflare_account_id = NULL, server_id = NULL');
  const { broken, states } = await why();
  expect({ broken, ...states }).toMatchObject({
    broken: null,
    zone: 'none',
    records: 'ok',
    origin: 'none',
    origin_certificate: 'none',
    content: 'none',
  });
});

describe('a hostile server', () => {
  test('that sends a byte a second ends in time', async () => {
    edge.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write('x'), 1_000);
      response.on('close', () => clearInterval(timer));
    };
    expect(await why()).toMatchObject({ broken: 'edge', sentence: expect.stringContaining('No answer in time') });
  });

  test('that sends without an end, or a hundred megabytes, is read to a limit', async () => {
    edge.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('<title>Endless</title><p>One two three four five</p>');
      const more = (): void => {
        while (!response.destroyed && response.write('words and words '.repeat(4_096)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect(await why()).toMatchObject({ broken: null, sentences: { content: expect.stringContaining('Endless') } });
  });

  test('gets no control characters of its title into a sentence', async () => {
    edge.answer = page('Casino\u001B[31m\u202E\u0000red');
    const { sentences } = await why();
    expect(sentences['content']).toMatch(/Casino/);
    // oxlint-disable-next-line no-control-regex
    expect(sentences['content']).not.toMatch(/[\u0000-\u001F\u202E]/);
  });

  test('at a private address is not asked unless that is allowed', async () => {
    reach({ allowPrivate: false, connectTo: `${MAIN}:443:127.0.0.1:${edge.tlsPort}` });
    await transaction(() => execute(`UPDATE servers SET ssh_host = '10.0.0.7'`));
    moves.zone(MAIN).records.find(({ name }) => name === MAIN)!.content = '10.0.0.7';
    origin.asked.length = 0;
    const { states, sentences } = await why();
    await transaction(() => execute(`UPDATE servers SET ssh_host = '203.0.113.10'`));
    expect({ origin: states['origin'], asked: origin.asked }).toEqual({ origin: 'unknown', asked: [] });
    expect(sentences['origin']).toContain('asking it is not allowed');
  });
});

describe('whose it is', () => {
  test('nobody but its owner and admins asks about a domain, or sees what was found', async () => {
    const before = registry.queries.length;
    await expect(diagnose(stranger, MAIN_ID)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(findDiagnosis(stranger, MAIN_ID)).rejects.toMatchObject({ kind: 'not_found' });
    expect(registry.queries.length).toBe(before);
    expect(await diagnose(owner, MAIN_ID)).toMatchObject({ domain: MAIN, broken: null });
    expect(await findDiagnosis(owner, MAIN_ID)).toMatchObject({ domain: MAIN });
  });

  test('a name below another user’s earlier one shows nothing of that zone, to whoever asks', async () => {
    await transaction(async () => {
      await execute(
        `INSERT INTO users (id, login, password, role, active, created_at) VALUES (99, 'stranger', '', 'user', 1, '')`,
      );
      await executeUnaudited(
        'check',
        `INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
           cloudflare_account_id, created_at, updated_at)
         VALUES (900, 99, 'shop.main.com', 'shop.main.com', '/s', 'main', 'auto', 'off', 'available', 1, '', '')`,
      );
    });
    const found = [await diagnose(stranger, 900), await diagnose(SYSTEM, 900)];
    await transaction(async () => {
      await executeUnaudited('check', 'DELETE FROM domains WHERE id = 900');
      await execute('DELETE FROM users WHERE id = 99');
    });
    for (const { steps } of found) {
      expect(steps.find(({ layer }) => layer === 'zone')).toMatchObject({
        state: 'unknown',
        message: { key: 'why.zone_foreign' },
      });
      const told = JSON.stringify(steps);
      const contents = moves.zone(MAIN).records.filter(({ type }) => type === 'A' || type === 'TXT');
      expect(contents.filter(({ content }) => told.includes(content))).toEqual([]);
    }
  });
});

describe('a diagnosis', () => {
  test('is kept, one row a domain, and replaced by the next answer', async () => {
    await why();
    entry().statuses = ['client hold'];
    await why();
    expect(await select('SELECT domain_name, broken FROM diagnoses')).toEqual([
      { domain_name: MAIN, broken: 'registrar' },
    ]);
    expect(await findDiagnosis(SYSTEM, MAIN_ID)).toMatchObject({ broken: 'registrar', act: 'registration' });
  });

  test('is that of the name that was asked about: a renamed domain was not asked about yet', async () => {
    await why();
    await change(`domain_name = 'renamed.com'`);
    expect(await findDiagnosis(SYSTEM, MAIN_ID)).toBeNull();
  });

  test('is the same for two who ask at once, and asked for once', async () => {
    registry.queries.length = 0;
    const [one, other] = await Promise.all([diagnose(SYSTEM, MAIN_ID), diagnose(owner, MAIN_ID)]);
    expect(other).toEqual(one);
    expect(registry.queries).toEqual([MAIN]);
  });

  test('is nothing where the domain was removed meanwhile', async () => {
    edge.answer = (_request, response) => {
      void change(`deleted_at = '2026-01-01T00:00:00.000Z'`).then(() => response.end('<p>One two three</p>'));
    };
    await diagnose(SYSTEM, MAIN_ID);
    expect(await select('SELECT 1 FROM diagnoses')).toEqual([]);
  });
});

test('a reserve that forwards to the main of its project is not sent to a stranger', async () => {
  edge.answer = ({ headers: { host } }, response) => {
    response.writeHead(host === RESERVE ? 301 : 200, { location: `https://${MAIN}/` });
    response.end('<p>One two three four five</p>');
  };
  moves.zone(RESERVE);
  const { broken, states, sentences } = await why(2);
  expect({ broken, redirect: states['redirect'] }).toEqual({ broken: null, redirect: 'ok' });
  expect(sentences['redirect']).toContain('a domain of the same project');
});
