// Logins and host keys of the adapter against a real OpenSSH.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { newPair } from '../../../src/demo/ssh/keys.ts';
import { describe, expect, test } from 'vitest';
import { openSftp } from '../../../src/providers/ssh.ts';
import { hostKeyOf } from '../../../src/providers/ssh/host-key.ts';
import { isRoot, startSshd, WEB_ROOT } from '../../support/sshd.ts';
import { at, failure, missing, noUsers, open, opened, portOf, sshd, useSshd } from './world.ts';

useSshd();

describe.skipIf(missing !== '')(`a login${missing}`, () => {
  test('works by key', async () => {
    expect((await open()).hostKey).toBe(sshd.hostKey());
  });

  test('reports the host key before it signs in, and stops if the callback throws', async () => {
    const attempts = sshd.attempts();
    const seen: string[] = [];
    const halt = new Error('not this one');
    const opening = openSftp(sshd.login, {
      hostKey: null,
      onHostKey: async (key) => {
        seen.push(key);
        await Promise.reject(halt);
      },
    });
    await expect(opening).rejects.toBe(halt);
    expect([seen, sshd.attempts() - attempts]).toEqual([[sshd.hostKey()], 0]);
  });

  test('is not tried with a key that is encrypted or unreadable', async () => {
    const locked = newPair({ passphrase: 'x', cipher: 'aes256-ctr', rounds: 4 });
    for (const [secret, code] of [
      [locked.private, 'key_encrypted'],
      ['-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----', 'key_unreadable'],
      [newPair().public.replace(/^/, '-----BEGIN '), 'key_unreadable'],
    ] as const) {
      const attempts = sshd.attempts();
      expect(await failure(open({ ...sshd.login, secret }))).toMatchObject({ kind: 'credentials', code });
      expect(sshd.attempts()).toBe(attempts);
    }
  });

  test('with a key that the server does not know is refused', async () => {
    const { private: secret } = newPair();
    expect(await failure(open({ ...sshd.login, secret }))).toMatchObject({
      kind: 'credentials',
      code: 'login_refused',
    });
    const pkcs8 = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    });
    expect(await failure(open({ ...sshd.login, secret: String(pkcs8) }))).toMatchObject({ code: 'login_refused' });
  });

  test('to a closed or silent port is unavailable', async () => {
    const silent = createServer((socket) => void socket.resume());
    const port = await portOf(silent);
    const asked = open({ ...sshd.login, port }, { answerMs: 300 });
    expect(await failure(asked)).toMatchObject({ kind: 'unavailable', code: 'ETIMEDOUT' });
    await new Promise((resolve) => silent.close(resolve));
    expect(await failure(open({ ...sshd.login, port }))).toMatchObject({ kind: 'unavailable', code: 'ECONNREFUSED' });
  });

  test('ends with the reason of its signal at any time', async () => {
    const reason = new Error('enough');
    await expect(open(sshd.login, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stop = new AbortController();
    const sftp = await open(sshd.login, { signal: stop.signal });
    const listing = sftp.list(at('').slice(0, -1));
    stop.abort(reason);
    await expect(listing).rejects.toBe(reason);
    await expect(sftp.stat(at('x'))).rejects.toBe(reason);
  });
});

const HOSTILE_USERS = [
  'root; id',
  '$(id)',
  '`id`',
  '-oProxyCommand=id',
  'root\nPermitRootLogin yes',
  'root\0',
  '../root',
  'root@evil.example',
  '%n%n%s',
  'a'.repeat(5000),
  '\u202Etoor',
];

describe.skipIf(missing !== '' || noUsers !== '')(`a login by password${missing || noUsers}`, () => {
  test('works with the right one, and tries a wrong one once', async () => {
    const login = sshd.passwordLogin();
    await open(login);
    const attempts = sshd.attempts();
    expect(await failure(open({ ...login, secret: 'wrong' }))).toMatchObject({ kind: 'credentials' });
    expect(sshd.attempts() - attempts).toBe(1);
  });

  test('is refused by a server that hangs up after one attempt, too', async () => {
    const strict = await startSshd({ config: ['MaxAuthTries 1'] });
    try {
      const asked = open({ ...strict.passwordLogin(), secret: 'wrong' }, { hostKey: strict.hostKey() });
      expect(await failure(asked)).toMatchObject({ kind: 'credentials', code: 'login_refused' });
    } finally {
      await strict.close();
    }
  });

  test.each(HOSTILE_USERS)('treats the user %j as an unknown name', async (user) => {
    expect(await failure(open({ ...sshd.passwordLogin(), user }))).toMatchObject({ kind: 'credentials' });
  });

  test('answers a server that asks for the password interactively', async () => {
    const asking = await startSshd({ keyboard: true });
    try {
      const login = asking.passwordLogin();
      await open(login, { hostKey: asking.hostKey() });
      const wrong = open({ ...login, secret: 'wrong' }, { hostKey: asking.hostKey() });
      expect(await failure(wrong)).toMatchObject({ kind: 'credentials' });
    } finally {
      await Promise.all(opened.splice(0).map((sftp) => sftp.close()));
      await asking.close();
    }
  });

  test('has only the rights of its user', async () => {
    const sftp = await open(sshd.passwordLogin());
    const works = [
      () => sftp.writeFile(sshd.remote('/var/x'), Buffer.from('x')),
      () => sftp.makeDirs(sshd.remote('/var/x/y')),
      () => sftp.rename(sshd.remote('/var/www'), sshd.remote('/var/x')),
      () => sftp.link('x', sshd.remote('/var/x')),
      () => sftp.removeTree(sshd.remote('/var/www')),
    ];
    for (const work of works) expect(await failure(work())).toMatchObject({ kind: 'refused' });
    expect(readdirSync(sshd.local('/var'))).toEqual(['www']);
  });
});

describe.skipIf(missing !== '')(`the key of a host${missing}`, () => {
  test('that has changed is refused before any login attempt', async () => {
    const other = await startSshd();
    try {
      const known = other.hostKey();
      await open(other.login, { hostKey: known });
      const [attempts, log] = [other.attempts(), other.log().length];
      await other.changeHostKey();
      const told: string[] = [];
      for (const login of [other.login, ...(isRoot ? [other.passwordLogin()] : [])]) {
        const error = await failure(openSftp(login, { hostKey: known, onHostKey: (key) => void told.push(key) }));
        expect(error).toMatchObject({ kind: 'untrusted', seen: other.hostKey() });
        expect(`${error.message} ${String(error.cause)}`).not.toContain(login.secret);
      }
      expect(other.attempts()).toBe(attempts);
      expect(told).toEqual([]);
      expect(other.log().slice(log)).not.toMatch(/Accepted|Failed password/);
      await open(other.login, { hostKey: other.hostKey() });
    } finally {
      await Promise.all(opened.splice(0).map((sftp) => sftp.close()));
      await other.close();
    }
  });

  test('is the known one as long as the server has it, even beside a better one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'seo-admin-rsa-'));
    const rsa = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 });
    writeFileSync(join(folder, 'rsa'), rsa.private, { mode: 0o600 });
    const both = await startSshd({ config: [`HostKey ${join(folder, 'rsa')}`] });
    try {
      const known = hostKeyOf(Buffer.from(rsa.public.split(' ')[1] ?? '', 'base64'));
      expect(known).toMatch(/^ssh-rsa SHA256:/);
      expect((await open(both.login, { hostKey: known })).hostKey).toBe(known);
      expect((await open(both.login, { hostKey: both.hostKey() })).hostKey).toBe(both.hostKey());
    } finally {
      await Promise.all(opened.splice(0).map((sftp) => sftp.close()));
      await both.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('stays accepted when the connection exchanges its keys again', async () => {
    const often = await startSshd({ config: ['RekeyLimit 1M'] });
    try {
      const sftp = await open(often.login, { hostKey: null });
      const content = Buffer.alloc(6 * 2 ** 20, 'abc');
      await sftp.writeFile(often.remote(`${WEB_ROOT}/large`), content);
      expect(readFileSync(often.local(`${WEB_ROOT}/large`)).equals(content)).toBe(true);
      expect(often.log().split('rekeying in progress').length + often.log().split('rekey').length).toBeGreaterThan(2);
    } finally {
      await Promise.all(opened.splice(0).map((sftp) => sftp.close()));
      await often.close();
    }
  });
});
