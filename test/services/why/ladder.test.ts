// Every layer of a domain broken in turn, against real servers: the ladder stops there and says so.
import { describe, expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../db/index.ts';
import { judgeBlocklist } from '../../../src/services/why/judge-content.ts';
import { LAYERS, type Layer } from '../../../src/shared/why/diagnosis.ts';
import { SERVER_IP } from '../../support/cdn.ts';
import { MAIN } from '../../support/moves-portfolio.ts';
import { page, status } from './host.ts';
import { block, edge, entry, moves, origin, useWhy, why } from './world.ts';

useWhy();

/** Asserts that the layers behind a layer were not asked, and that those before it were asked and are not broken. */
function stoppedAt(layer: Layer, states: Record<string, string>): void {
  const at = LAYERS.indexOf(layer);
  expect(LAYERS.slice(at + 1).map((one) => states[one])).toEqual(LAYERS.slice(at + 1).map(() => 'not_asked'));
  expect(LAYERS.slice(0, at).map((one) => states[one])).not.toContain('broken');
  expect(LAYERS.slice(0, at).map((one) => states[one])).not.toContain('not_asked');
}

test('a domain with nothing broken is fine in each layer that applies to it', async () => {
  const { broken, sentence, sentences, states } = await why();
  expect({ broken, sentence }).toEqual({ broken: null, sentence: 'Nothing broken was found' });
  expect(sentences['origin_certificate']).toContain('Valid until 2199-01-01');
  expect(states).toEqual({
    registrar: 'ok',
    delegation: 'ok',
    zone: 'ok',
    records: 'ok',
    edge_certificate: 'ok',
    edge: 'ok',
    origin: 'ok',
    origin_certificate: 'ok',
    redirect: 'none',
    content: 'none',
    blocklist: 'ok',
    index: 'none',
  });
});

/** Stores that Yandex has no page of a domain any more. */
async function lose(name: string): Promise<void> {
  await transaction(() =>
    executeUnaudited(
      'check',
      `UPDATE domains SET yandex_indexation = 0, google_indexation = 1, last_check_indexation = '2026-01-02T00:00:00.000Z'
       WHERE domain_name = $name`,
      { name },
    ),
  );
}

/** A fault, the layer at which the ladder has to stop, a part of its sentence, and the act that mends it. */
type Case = [what: string, layer: Layer, sentence: string, act: string | null, breakIt: () => void | Promise<void>];

const zone = () => moves.zone(MAIN);
const cases: Case[] = [
  [
    'a name on hold',
    'registrar',
    'is on hold (client hold)',
    'registration',
    () => void (entry().statuses = ['client hold']),
  ],
  [
    'a name in redemption',
    'registrar',
    'renew it at the registrar',
    'renew',
    () => void (entry().statuses = ['redemption period']),
  ],
  [
    'a name that has ended',
    'registrar',
    'ended on 2020-01-01',
    'renew',
    () => void (entry().expires_at = '2020-01-01T00:00:00.000Z'),
  ],
  [
    'a name that is not delegated',
    'delegation',
    'is not delegated',
    'name_servers',
    () => void (entry().statuses = ['inactive']),
  ],
  [
    'other name servers',
    'delegation',
    'is delegated to ns1.parking.example',
    'name_servers',
    () => void (entry().name_servers = ['ns1.parking.example']),
  ],
  [
    'a zone that is gone',
    'zone',
    'is not in the account Account 1',
    'name_servers',
    () => moves.fake.removeZone(zone().id),
  ],
  ['a zone that waits', 'zone', 'waits to be delegated', 'name_servers', () => void (zone().status = 'pending')],
  ['a paused zone', 'zone', 'is paused', null, () => void (zone().paused = true)],
  ['no record', 'records', 'has no A, AAAA or CNAME record', 'dns', () => void (zone().records = [])],
  [
    'a record of another server',
    'records',
    `points to 198.51.100.99, but its server is ${SERVER_IP}`,
    'dns',
    () => void (zone().records.find(({ name }) => name === MAIN)!.content = '198.51.100.99'),
  ],
  [
    'a certificate of another name',
    'edge_certificate',
    'for another name',
    'dns',
    () => void (edge.certificate = () => edge.issue('other.com')),
  ],
  [
    'an expired certificate',
    'edge_certificate',
    'has expired',
    'dns',
    () => void (edge.certificate = (name) => edge.issue(name, new Date('2024-01-01'))),
  ],
  [
    'a certificate that is being issued',
    'edge_certificate',
    'it is being issued',
    null,
    () => void (edge.certificate = () => undefined),
  ],
  [
    'an edge that hangs up',
    'edge',
    'The CDN does not answer',
    'dns',
    () => void (edge.answer = (request) => request.socket.destroy()),
  ],
  [
    'a server that fails',
    'origin',
    'answers for main.com with HTTP 500',
    'server',
    () => {
      edge.answer = status(500);
      origin.answer = status(500);
    },
  ],
  [
    'a server that hangs up',
    'origin',
    `The server ${SERVER_IP} does not answer`,
    'server',
    () => void (origin.answer = (request) => request.socket.destroy()),
  ],
  [
    'a firewall before the server (522)',
    'origin',
    'cannot connect to the server (522)',
    'server',
    () => void (edge.answer = status(522)),
  ],
  [
    'an error that the server does not have',
    'origin',
    'the CDN asks another server',
    'dns',
    () => void (edge.answer = status(503)),
  ],
  [
    'an address that the edge can’t resolve (530)',
    'origin',
    'finds no address of the server (530)',
    'dns',
    () => void (edge.answer = status(530)),
  ],
  [
    'a certificate that the CDN refuses (526)',
    'origin_certificate',
    'does not trust the server’s certificate (526)',
    'server',
    () => {
      edge.answer = status(526);
      origin.certificate = (name) => origin.issue(name, new Date('2024-01-01'));
    },
  ],
  [
    'a redirect to a stranger',
    'redirect',
    'redirects to casino.example',
    'redirects',
    () => {
      edge.answer = ({ headers: { host } }, response) => {
        response.writeHead(host === MAIN ? 301 : 200, { location: 'https://casino.example/' });
        response.end('<p>Play here and now</p>');
      };
    },
  ],
  [
    'a redirect in a circle',
    'redirect',
    'redirects in a circle',
    'redirects',
    () => void (edge.answer = status(302, { location: `https://${MAIN}/` })),
  ],
  ['a page that is missing', 'content', 'answers HTTP 404', 'server', () => void (edge.answer = status(404))],
  [
    'a stub of the web server',
    'content',
    'A stub is shown',
    'server',
    () => void (edge.answer = page('Welcome to nginx!', '')),
  ],
  [
    'an empty page',
    'content',
    'is empty',
    'server',
    () => void (edge.answer = (_request, response) => void response.end(' ')),
  ],
  ['a blocked name', 'blocklist', 'is blocked by RKN', 'transfer', () => block(MAIN)],
  ['a name that an engine has lost', 'index', 'is not in the index of Yandex', null, () => lose(MAIN)],
];

describe('the ladder stops at', () => {
  test.each(cases)('%s (%s)', async (_what, layer, sentence, act, breakIt) => {
    await block();
    await breakIt();
    const asked = await why();
    expect(asked.broken).toBe(layer);
    expect(asked.sentence).toContain(sentence);
    expect(asked.act).toBe(act);
    stoppedAt(layer, asked.states);
  });
});

test('a blocked reserve is told to be of no use, and nothing is moved from it', () => {
  const blocked = { status: 'blocked', reason: 'domain', entry: 'spare.ru', url_listed: false } as const;
  const verdict = judgeBlocklist('spare.ru', 'transfer', blocked);
  expect(verdict).toMatchObject({ state: 'broken', message: { key: 'why.blocked_reserve' } });
  expect(verdict.act).toBeUndefined();
});
