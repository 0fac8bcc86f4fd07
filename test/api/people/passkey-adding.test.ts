// A passkey is added by what an authenticator in software says.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, PASSWORD, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const ask = (person: Person, call: string, body: object) => request(server, call, { token: person.token, body });

/** A public key in COSE (ECDSA with P-256). */
function newKey(): Buffer {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const coordinate = (text: string) => Buffer.from(text, 'base64url');
  const [head, middle] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  return Buffer.concat([head, coordinate(x), middle, coordinate(y)]);
}

/** Returns what a browser sends of a new passkey (CBOR, without attestation). */
function registration(challenge: string, credential: Buffer) {
  const client = JSON.stringify({ type: 'webauthn.create', challenge, origin: server.url, crossOrigin: false });
  const rpId = createHash('sha256').update(new URL(server.url).hostname).digest();
  const [flags, counter, maker] = [Buffer.from([0b1000101]), Buffer.alloc(4), Buffer.alloc(16)];
  const length = Buffer.from([0, credential.length]);
  const data = Buffer.concat([rpId, flags, counter, maker, length, credential, newKey()]);
  const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
  const id = credential.toString('base64url');
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(client).toString('base64url'),
      attestationObject: Buffer.concat([head, Buffer.from([data.length]), data]).toString('base64url'),
    },
    clientExtensionResults: {},
  };
}

/** Begins an addition; returns what ends it. */
async function begin(person: Person) {
  const { status, body } = await ask(person, 'POST /api/passkeys/options', { password: PASSWORD });
  const end = (credential: Buffer) => {
    const response = registration(body.options.challenge, credential);
    return ask(person, 'POST /api/passkeys', { name: 'key', challenge: body.challenge, response });
  };
  return { status, end };
}

const add = async (person: Person, credential: Buffer) => (await begin(person)).end(credential);

test('a passkey that is there already is refused, its own and another user’s alike', async () => {
  const [anna, boris] = [await createPerson(server), await createPerson(server)];
  const credential = randomBytes(16);
  expect((await add(anna, credential)).status).toBe(200);
  for (const person of [anna, boris]) {
    expect(await add(person, credential)).toMatchObject({ status: 422, body: { code: 'passkey_refused' } });
  }
  const { body } = await request(server, 'GET /api/second_factor', { token: boris.token });
  expect(body).toMatchObject({ passkeys: [], recovery_codes: 0 });
});

test('of two additions that are begun at nineteen passkeys one is refused', async () => {
  const person = await createPerson(server);
  for (let made = 0; made < 19; made += 1) expect((await add(person, randomBytes(16))).status).toBe(200);
  const begun = [await begin(person), await begin(person)];
  expect(begun.map(({ status }) => status)).toEqual([200, 200]);
  const ended = await Promise.all(begun.map(({ end }) => end(randomBytes(16))));
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect((await begin(person)).status).toBe(409);
  const { body } = await request(server, 'GET /api/second_factor', { token: person.token });
  expect(body.passkeys).toHaveLength(20);
});
