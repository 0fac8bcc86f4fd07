// The switch to a release and back, on a real OpenSSH, served by a real nginx.
import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSftp } from '../../../../src/providers/ssh.ts';
import type { Sftp } from '../../../../src/providers/ssh/sftp.ts';
import { uploadAct, uploadBack } from '../../../../src/services/sites/release-upload.ts';
import { activateAct, activateBack } from '../../../../src/services/sites/release-switch.ts';
import { WEB_ROOT } from '../../../support/sshd.ts';
import { deploy, host, missing, nginx, onDisk, path, run, served, sftp, site, sshd, useHost } from './world.ts';

describe.skipIf(missing.length > 0)('a release on a real server', () => {
  useHost();

  test('is served with its marker; deploying it again changes nothing', async () => {
    const one = site('one');
    await deploy(sftp, path, one);
    expect(await served()).toBe('<h1>one</h1>');
    expect(await served('/css/deep/er/main.css')).toBe('/* one */');
    expect(await served('/big.bin')).toHaveLength(200_000);
    expect(await nginx.get(host, `/${one.marker.path}`)).toMatchObject({ type: 'text/plain', text: `${one.id}\n` });
    expect(readlinkSync(onDisk(host))).toBe(`.releases/${host}/${one.id}`);
    expect(await uploadAct(sftp, path, one).look()).toBeNull();
    expect(await activateAct(sftp, path, one).look()).toBeNull();
    expect(readdirSync(onDisk(`.releases/${host}`))).toEqual([one.id]);
  });

  test('is switched atomically: a client that asks all the time never gets half of it', async () => {
    await deploy(sftp, path, site('v0'));
    const seen = new Map<string, number>();
    const over = new AbortController();
    const ask = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const [page, style] = await Promise.all([nginx.get(host), nginx.get(host, '/pages/0/page-0.html')]);
        for (const { status, text } of [page, style]) {
          const known = status === 200 && /^(<h1>v\d+<\/h1>|v\d+ 0)$/.test(text);
          const what = known ? 'whole' : `${status} ${text}`;
          seen.set(what, (seen.get(what) ?? 0) + 1);
        }
      }
    };
    const asking = Promise.all([ask(), ask(), ask(), ask()]);
    for (let version = 1; version <= 12; version += 1) await deploy(sftp, path, site(`v${version}`));
    over.abort();
    await asking;
    console.log(`asked while switching: ${JSON.stringify(Object.fromEntries(seen))}`);
    expect([...seen.keys()]).toEqual(['whole']);
    expect(seen.get('whole')).toBeGreaterThan(50);
    expect(await served()).toBe('<h1>v12</h1>');
  });

  test('keeps the existing folder, which is live again after a rollback', async () => {
    mkdirSync(onDisk(host));
    writeFileSync(join(onDisk(host), 'index.html'), 'by hand');
    const one = site('one');
    const change = await deploy(sftp, path, one);
    expect(change).toMatchObject({
      before: `.releases/${host}/before-${one.id}`,
      after: `.releases/${host}/${one.id}`,
    });
    expect(await served()).toBe('<h1>one</h1>');
    await run(activateBack(sftp, path, change?.before, change?.after));
    expect(await served()).toBe('by hand');
    await run(uploadBack(sftp, path, one.id));
    expect(readdirSync(onDisk(`.releases/${host}`))).toEqual([`before-${one.id}`]);
  });

  test('that was cut off between the two renames is completed or rolled back by the next act', async () => {
    for (const way of ['on', 'back']) {
      rmSync(onDisk(host), { recursive: true, force: true });
      mkdirSync(onDisk(host));
      writeFileSync(join(onDisk(host), 'index.html'), `by hand ${way}`);
      const one = site(way);
      await run(uploadAct(sftp, path, one));
      const change = await activateAct(sftp, path, one).look();
      const renameBoth: Sftp['renameBoth'] = async ([from, to]) => {
        await sftp.rename(from, to);
        throw new Error('cut');
      };
      const cut: Sftp = { ...sftp, renameBoth };
      const broken = await activateAct(cut, path, one).look();
      await expect(broken?.perform()).rejects.toThrow('cut');
      expect(existsSync(onDisk(host))).toBe(false);
      if (way === 'on') await run(activateAct(sftp, path, one));
      else await run(activateBack(sftp, path, change?.before, change?.after));
      expect(await served()).toBe(way === 'on' ? '<h1>on</h1>' : 'by hand back');
    }
  });

  test('replaces a folder by renames that the server makes without an answer between: no gap waits for the line', async () => {
    mkdirSync(onDisk(host));
    writeFileSync(join(onDisk(host), 'index.html'), 'by hand');
    const one = site('one', 0);
    await run(uploadAct(sftp, path, one));
    // From the first rename on, no answer of the server reaches the client until a visitor has got the release.
    const begun = (): boolean => lstatSync(onDisk(host), { throwIfNoEntry: false })?.isDirectory() !== true;
    let isHeld = true;
    const held: (() => void)[] = [];
    const proxy = createServer((socket) => {
      const onward = connect(sshd.port, '127.0.0.1');
      socket.pipe(onward).on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      onward.on('data', (bytes) => {
        if (isHeld && begun()) held.push(() => socket.write(bytes));
        else socket.write(bytes);
      });
      onward.on('close', () => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const client = await openSftp({ ...sshd.login, port }, { hostKey: sshd.hostKey() });
    expect(await served()).toBe('by hand');
    let isOver = false;
    const switching = run(activateAct(client, path, one)).finally(() => (isOver = true));
    await expect.poll(() => served()).toBe('<h1>one</h1>');
    expect(isOver).toBe(false);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    isHeld = false;
    for (const send of held.splice(0)) send();
    await switching;
    expect(await served()).toBe('<h1>one</h1>');
    await client.close();
    proxy.close();
  });

  test('undoes the first rename where the second one fails: the folder stays live', async () => {
    mkdirSync(onDisk(host));
    writeFileSync(join(onDisk(host), 'index.html'), 'by hand');
    const at = (name: string): string => sshd.remote(`${WEB_ROOT}/${name}`);
    await expect(sftp.renameBoth([path, at(`${host}-kept`)], [at('not-there'), path])).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(await served()).toBe('by hand');
    expect(existsSync(onDisk(`${host}-kept`))).toBe(false);
  });

  test('rolls back to the former release, to nothing where there was none, and not over a later switch', async () => {
    const first = await deploy(sftp, path, site('one'));
    const second = await deploy(sftp, path, site('two'));
    await run(activateBack(sftp, path, second?.before, second?.after));
    expect(await served()).toBe('<h1>one</h1>');
    const third = await deploy(sftp, path, site('three'));
    expect(await activateBack(sftp, path, first?.before, first?.after).look()).toBeNull();
    await sftp.removeTree(sshd.remote(`${WEB_ROOT}/.releases/${host}/${site('one').id}`));
    await expect(activateBack(sftp, path, third?.before, third?.after).look()).rejects.toMatchObject({
      key: 'site.former_gone',
    });
    await run(activateBack(sftp, path, null, third?.after));
    expect(await nginx.get(host)).toMatchObject({ status: 404 });
    expect(await uploadBack(sftp, path, site('three').id).look()).not.toBeNull();
  });

  test('that is incomplete is never switched to', async () => {
    const [one, two] = [site('one'), site('two')];
    await deploy(sftp, path, one);
    await run(uploadAct(sftp, path, two));
    rmSync(onDisk(`.releases/${host}/${two.id}/${two.marker.path}`));
    const change = await activateAct(sftp, path, two).look();
    await expect(change?.perform()).rejects.toMatchObject({ key: 'site.incomplete' });
    expect(await served()).toBe('<h1>one</h1>');
  });
});
