// A password that equals a public name, with the demo's SSH server.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSsh, type Ssh } from '../../src/demo/ssh.ts';
import { openSftp } from '../../src/providers/ssh.ts';
import type { Sftp } from '../../src/providers/ssh/sftp.ts';

let root: string;
let ssh: Ssh;
let sftp: Sftp;

const PASSWORD = 'example.com';

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'seo-admin-ssh-'));
  mkdirSync(join(root, 'srv', PASSWORD), { recursive: true });
  ssh = await startSsh({ root, logins: [{ user: 'root', password: PASSWORD }] });
  sftp = await openSftp({ host: '127.0.0.1', port: ssh.port, user: 'root', secret: PASSWORD }, { hostKey: null });
});
afterEach(async () => {
  await sftp.close();
  await ssh.close();
  rmSync(root, { recursive: true, force: true });
});

test('paths of the caller are reported in full, even if the password is part of them', async () => {
  ssh.faults.push({ kind: 'denied', times: 3 });
  const path = '/srv/example.com/index.html';
  await expect(sftp.writeFile(path, Buffer.from('x'))).rejects.toThrow(`${path}: permission denied`);
  await expect(sftp.rename(path, '/srv/example.com/b')).rejects.toThrow(`${path}: permission denied`);
  await expect(sftp.removeTree('/srv/example.com')).rejects.toThrow('/srv/example.com: permission denied');
});

test('a file name from the server that equals the password is used, but redacted in errors', async () => {
  writeFileSync(join(root, 'srv', PASSWORD, PASSWORD), 'x');
  expect(await sftp.list('/srv/example.com')).toMatchObject([{ name: PASSWORD }]);
  ssh.faults.push({ kind: 'denied', under: '/srv/example.com/example.com' });
  await expect(sftp.removeTree('/srv/example.com')).rejects.toThrow('/srv/example.com/********: permission denied');
});
