import { generateKeyPairSync } from 'node:crypto';
import { newPair } from '../../../src/demo/ssh/keys.ts';
import { describe, expect, test } from 'vitest';
import { ask, make, MASK, owner, rowOf, server, ssh, useTeam } from './world.ts';

useTeam();

const WRONG_PORTS = [
  '203.0.113.10:',
  '203.0.113.10:0',
  'a.example:65536',
  'a.example:2 2',
  'a.example:ssh',
  '[1.2.3.4]:22',
];

describe('a server', () => {
  test('has the fields of the contract', async () => {
    const made = await make('servers', ssh({ name: 'S', ssh_host: 'Host.Example.com' }));
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'S',
      ssh_host: 'host.example.com',
      ssh_user: 'root',
      ssh_password: 'correct horse',
      created_at: expect.any(String),
      host_key: null,
      host_key_seen: null,
      checked_at: null,
      check_error: null,
      domains: 0,
      can_edit: true,
    });
  });

  test('takes a private key as its password, of OpenSSH and of OpenSSL', async () => {
    const format = { format: 'pem', type: 'pkcs8' } as const;
    const keys = [
      newPair().private,
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(format).toString(),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(format).toString(),
    ];
    for (const ssh_password of keys) {
      const { id } = await make('servers', ssh({ ssh_password }));
      expect((await rowOf('servers', id, owner)).ssh_password).toBe(ssh_password);
    }
  });

  test('is refused with an encrypted or unreadable private key', async () => {
    const locked = newPair({
      passphrase: 'x',
      cipher: 'aes256-ctr',
      rounds: 4,
    }).private;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const lock = { cipher: 'aes-256-cbc', passphrase: 'x', format: 'pem' } as const;
    const encrypted = [locked, rsa.export({ ...lock, type: 'pkcs8' }), rsa.export({ ...lock, type: 'pkcs1' })];
    const broken = ['-----BEGIN OPENSSH PRIVATE KEY-----\nabc=\n-----END OPENSSH PRIVATE KEY-----\n', '-----BEGIN x'];
    for (const [ssh_password, said] of [
      ...encrypted.map((key) => [String(key), /без пароля/] as const),
      ...broken.map((key) => [key, /не читается/] as const),
    ]) {
      const answer = await ask('POST /api/servers', ssh({ ssh_password }));
      expect([answer.status, answer.body.fields.ssh_password]).toEqual([400, expect.stringMatching(said)]);
    }
  });

  test.each([
    ['203.0.113.10:2222', '203.0.113.10:2222'],
    ['203.0.113.10:22', '203.0.113.10'],
    ['Host.Example.com:022', 'host.example.com'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:DB8::1]:2222', '[2001:db8::1]:2222'],
    ['::ffff:203.0.113.10', '203.0.113.10'],
    ['[::FFFF:cb00:710a]:2222', '203.0.113.10:2222'],
    ['0:0:0:0:0:ffff:203.0.113.10', '203.0.113.10'],
  ])('is kept with the host “%s” as “%s”', async (typed, kept) => {
    expect((await make('servers', ssh({ ssh_host: typed }))).ssh_host).toBe(kept);
  });

  test('wants its password again with a new host, of admins as well', async () => {
    const { id } = await make('servers', ssh());
    const put = (body: object, person = owner) => ask(`PUT /api/servers/${id}`, body, person);
    expect((await put({ ssh_host: '203.0.113.10', ssh_user: 'me', ssh_password: MASK })).status).toBe(200);
    for (const person of [owner, server.admin]) {
      for (const more of [{}, { ssh_password: MASK }]) {
        const answer = await put({ ssh_host: '203.0.113.66', ...more }, person);
        expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['ssh_password']]);
      }
    }
    expect((await rowOf('servers', id, owner)).ssh_host).toBe('203.0.113.10');
    expect((await put({ ssh_host: '203.0.113.66', ssh_password: 'again' })).status).toBe(200);
  });

  test.each(['', 'a b', 'a..b', '300.1.1.1', 'root@host', 'host:22', '-oProxyCommand=x', ...WRONG_PORTS])(
    'is refused with the host “%s”',
    async (ssh_host) => expect((await ask('POST /api/servers', ssh({ ssh_host }))).status).toBe(400),
  );
});
