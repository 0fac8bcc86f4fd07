import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openSftp } from '../src/providers/ssh.ts';
import { releaseOf } from '../src/services/sites/releases.ts';
import { uploadAct } from '../src/services/sites/release-upload.ts';
import { activateAct } from '../src/services/sites/release-switch.ts';
import type { SiteFile } from '../src/shared/sites/sites.ts';
import { findSshd, startSshd, WEB_ROOT, type Sshd } from '../test/support/sshd.ts';

const FILES = 2_000;
const ROUNDS = 5;

/** Returns a site of 1 to 40 kB files in folders of forty. */
const site = (): SiteFile[] =>
  Array.from({ length: FILES }, (_, at) => ({
    path: at === 0 ? 'index.html' : `part-${Math.floor(at / 400)}/folder-${Math.floor(at / 40)}/file-${at}.html`,
    content: randomBytes(1024 + ((at * 7919) % (39 * 1024))),
  }));

/** Connects, uploads beside the live site, and switches to the new release. */
async function ours(sshd: Sshd, files: SiteFile[], path: string): Promise<number> {
  const start = performance.now();
  const sftp = await openSftp(sshd.login, { hostKey: sshd.hostKey() });
  const release = releaseOf(files);
  for (const act of [uploadAct(sftp, path, release), activateAct(sftp, path, release)]) {
    const change = await act.look();
    await change?.perform();
  }
  await sftp.close();
  return performance.now() - start;
}

/** The manual method: `sftp` with a batch of mkdir and put, straight into the folder. */
function peer(sshd: Sshd, folder: string, files: SiteFile[], path: string): number {
  const folders = new Set<string>();
  for (const file of files) {
    const parts = dirname(file.path).split('/');
    if (file.path.includes('/')) for (let n = 1; n <= parts.length; n++) folders.add(parts.slice(0, n).join('/'));
  }
  const batch = join(folder, 'batch');
  const lines = [
    `mkdir ${path}`,
    ...[...folders].sort().map((one) => `mkdir ${path}/${one}`),
    ...files.map((file) => `put ${join(folder, 'site', file.path)} ${path}/${file.path}`),
  ];
  writeFileSync(batch, `${lines.join('\n')}\n`);
  const { user, host } = sshd.login;
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'IdentitiesOnly=yes'];
  const flags = options.flatMap((option) => ['-o', option]);
  const start = performance.now();
  const { status, stderr } = spawnSync(
    'sftp',
    ['-q', '-i', join(folder, 'key'), '-P', String(sshd.port), '-b', batch, ...flags, `${user}@${host}`],
    { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  if (status !== 0) throw new Error(`sftp: ${stderr}`);
  return performance.now() - start;
}

const median = (values: number[]): number => [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;

/**
 * Prints how fast a site of 2,000 files is deployed, interleaved with `sftp -b` of the same files to the same server.
 */
export async function benchDeploy(): Promise<void> {
  const found = findSshd();
  if ('missing' in found) return console.log(`deploy: skipped, ${found.missing}`);
  const sshd = await startSshd({ quiet: true });
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
  try {
    const files = site();
    for (const { path, content } of files) {
      mkdirSync(dirname(join(folder, 'site', path)), { recursive: true });
      writeFileSync(join(folder, 'site', path), content);
    }
    writeFileSync(join(folder, 'key'), sshd.login.secret, { mode: 0o600 });
    const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
    console.log(
      `deploy: ${FILES} files, ${(bytes / 2 ** 20).toFixed(1)} MB, an OpenSSH on loopback, ${ROUNDS} rounds in turn`,
    );
    const times: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = (who: string): string => sshd.remote(`${WEB_ROOT}/${who}-${round}`);
      times.peer.push(peer(sshd, folder, files, at('peer')));
      times.ours.push(await ours(sshd, files, at('ours')));
    }
    const ratio = median(times.peer) / median(times.ours);
    const each = times.ours.map((ms, at) => ((times.peer[at] ?? 0) / ms).toFixed(2));
    console.log(
      `  this ${Math.round(median(times.ours))} ms, sftp -b ${Math.round(median(times.peer))} ms: ${ratio.toFixed(2)} x its speed (${each.join(', ')})`,
    );
  } finally {
    await sshd.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
