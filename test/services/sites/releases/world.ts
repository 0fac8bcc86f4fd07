// Shared parts of the tests of releases: small sites, and a real OpenSSH whose folder a real nginx serves.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Act } from '../../../../src/operations/flow.ts';
import { openSftp } from '../../../../src/providers/ssh.ts';
import type { Sftp } from '../../../../src/providers/ssh/sftp.ts';
import { releaseOf, type Release } from '../../../../src/services/sites/releases.ts';
import { uploadAct } from '../../../../src/services/sites/release-upload.ts';
import { activateAct } from '../../../../src/services/sites/release-switch.ts';
import { findNginx, startNginx, type Nginx } from '../../../support/nginx.ts';
import { findSshd, startSshd, WEB_ROOT, type Sshd } from '../../../support/sshd.ts';

/** The programs of a real server that this machine does not have. */
export const missing = [findSshd(), findNginx()].flatMap((found) => ('missing' in found ? [found.missing] : []));
if (missing.length > 0) console.log(`Skipped: releases on a real server: ${missing.join('; ')}`);

/** Looks at an act and performs it; returns the change, or null where there was nothing to do. */
export const run = async (act: Act) => {
  const change = await act.look();
  await change?.perform();
  return change;
};

const file = (path: string, content: string | Uint8Array) => ({ path, content: Buffer.from(content) });

/** A site whose every file names its version; `big` is larger than one request. */
export const site = (version: string, more = 3): Release =>
  releaseOf([
    file('index.html', `<h1>${version}</h1>`),
    file('css/deep/er/main.css', `/* ${version} */`),
    file('empty.txt', ''),
    file('big.bin', Buffer.alloc(200_000, version)),
    ...Array.from({ length: more }, (_, at) => file(`pages/${at % 7}/page-${at}.html`, `${version} ${at}`)),
  ]);

/** Uploads a release and switches to it. */
export const deploy = async (sftp: Sftp, path: string, release: Release) => {
  await run(uploadAct(sftp, path, release));
  return run(activateAct(sftp, path, release));
};

/** The server of the test file that has called `useHost`. */
export let sshd: Sshd;
/** The web server of its sites. */
export let nginx: Nginx;
/** A session there. */
export let sftp: Sftp;
/** The host name of the site of the running test. */
export let host: string;
/** The path of that site on the server. */
export let path: string;
let count = 0;

/** Returns the path of a name of the folder of all sites on this disk. */
export const onDisk = (name = ''): string => sshd.local(`${WEB_ROOT}/${name}`);

/** Starts a server before the tests of the surrounding `describe`, and gives each test a site of its own. */
export function useHost(): void {
  beforeAll(async () => {
    sshd = await startSshd();
    nginx = await startNginx(onDisk());
    sftp = await openSftp(sshd.login, { hostKey: null });
  });
  afterAll(async () => {
    await sftp.close();
    await nginx.close();
    await sshd.close();
  });
  beforeEach(() => {
    count += 1;
    host = `site-${count}.example`;
    path = sshd.remote(`${WEB_ROOT}/${host}`);
  });
}

/** Returns the text that nginx serves for the site. */
export const served = async (at = '/') => (await nginx.get(host, at)).text;
