// A host with keys of two kinds, of which the rows of two users have pinned one each; tested with a real OpenSSH.
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { hostKeyOf } from '../../../src/providers/ssh/host-key.ts';
import { startSshd } from '../../support/sshd.ts';
import { add, addServer, ask, attacker, deploy, found, startHost, useFolders, victim } from './world.ts';

useFolders();

/** Writes a host key of RSA; returns its file and its fingerprint. */
function makeRsaKey(): { file: string; shown: string } {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 3072,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const file = join(mkdtempSync(join(tmpdir(), 'seo-admin-rsa-')), 'key');
  writeFileSync(file, privateKey, { mode: 0o600 });
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  return { file, shown: hostKeyOf([parsed].flat()[0]!.getPublicSSH()) };
}

const keyOf = async (id: number): Promise<unknown> =>
  (await select<{ host_key: string }>('SELECT host_key FROM servers WHERE id = $id', { id }))[0]?.host_key;

describe.skipIf('missing' in found)('a host with an RSA key and one of Ed25519', () => {
  test.each([
    ['the older', true],
    ['the later', false],
  ])('is one host: the row of %s claim has pinned RSA', async (_which, isVictims) => {
    const rsa = makeRsaKey();
    const sshd = await startSshd({ quiet: true, config: [`HostKey ${rsa.file}`] });
    const { user: ssh_user, secret: ssh_password } = sshd.login;
    const mine = await addServer(victim, { ssh_host: `127.0.0.1:${sshd.port}`, ssh_user, ssh_password });
    const theirs = await addServer(attacker, { ssh_host: `host.example.com:${sshd.port}`, ssh_user, ssh_password });
    const [id, other] = isVictims ? [mine, theirs] : [theirs, mine];
    await transaction(() => execute('UPDATE servers SET host_key = $shown WHERE id = $id', { shown: rsa.shown, id }));
    for (const server of [mine, theirs]) {
      expect((await ask(victim, `POST /api/servers/${server}/test`, {})).body.data).toMatchObject({ ok: true });
    }
    expect([await keyOf(id), await keyOf(other)]).toEqual([rsa.shown, sshd.hostKey()]);
    mkdirSync(sshd.local('/srv/site'), { recursive: true });
    writeFileSync(sshd.local('/srv/site/index.html'), 'by hand');
    const site = await add(victim, mine, sshd.remote('/srv/site'));
    const wrong = await add(attacker, theirs, sshd.remote('/srv/site'));
    expect((await deploy(attacker, wrong.body.data.id)).state).not.toBe('succeeded');
    expect(lstatSync(sshd.local('/srv/site')).isSymbolicLink()).toBe(false);
    expect(readFileSync(sshd.local('/srv/site/index.html'), 'utf8')).toBe('by hand');
    expect(await deploy(victim, site.body.data.id)).toMatchObject({ state: 'succeeded' });
    await sshd.close();
  });

  test('is the same host after it was set up anew, though the row of the older claim has pinned its former key', async () => {
    const { sshd, mine, theirs } = await startHost();
    const former = `ssh-ed25519 SHA256:${'a'.repeat(43)}`;
    const site = await add(victim, mine, sshd.remote('/srv/site'));
    await transaction(() => execute('UPDATE servers SET host_key = $former WHERE id = $mine', { former, mine }));
    const wrong = await add(attacker, theirs, sshd.remote('/srv/site'));
    expect([site.status, wrong.status]).toEqual([200, 200]);
    expect(await deploy(attacker, wrong.body.data.id)).toMatchObject({ state: 'failed' });
    expect(existsSync(sshd.local('/srv/site'))).toBe(false);
    await sshd.close();
  });

  test('is another host than one whose key of that kind is a different one', async () => {
    const [one, two] = [makeRsaKey(), makeRsaKey()];
    const sshd = await startSshd({ quiet: true, config: [`HostKey ${one.file}`] });
    const { user: ssh_user, secret: ssh_password } = sshd.login;
    const far = await addServer(victim, { ssh_host: '203.0.113.88' });
    await transaction(() => execute('UPDATE servers SET host_key = $shown WHERE id = $far', { shown: two.shown, far }));
    const here = await addServer(attacker, { ssh_host: `host.example.com:${sshd.port}`, ssh_user, ssh_password });
    mkdirSync(sshd.local('/srv'), { recursive: true });
    expect((await add(victim, far, sshd.remote('/srv/other'))).status).toBe(200);
    const site = await add(attacker, here, sshd.remote('/srv/other'));
    expect(await deploy(attacker, site.body.data.id)).toMatchObject({ state: 'succeeded' });
    await sshd.close();
  });
});
