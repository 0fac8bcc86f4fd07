// Shared parts of the tests of the SSH adapter: a real OpenSSH.
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { openSftp } from '../../../src/providers/ssh.ts';
import type { Sftp } from '../../../src/providers/ssh/sftp.ts';
import { findSshd, isRoot, startSshd, WEB_ROOT, type Sshd } from '../../support/sshd.ts';

const found = findSshd();
/** End of a title where the machine has no OpenSSH; '' where it has. */
export const missing = 'missing' in found ? ` (${found.missing})` : '';
/** End of a title where the machine gives no throw-away user; '' where it does. */
export const noUsers = isRoot ? '' : ' (a throw-away user takes root)';

/** The OpenSSH of the test file. */
export let sshd: Sshd;
/** The sessions that are closed after the test. */
export const opened: Sftp[] = [];

/** Starts OpenSSH before the tests of a file where the machine has it, and closes the sessions after each. */
export function useSshd(): void {
  beforeAll(async () => {
    if (missing === '') sshd = await startSshd();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((sftp) => sftp.close()));
  });
  afterAll(() => sshd?.close());
}

/** Opens a session that is closed after the test. */
export async function open(login = sshd.login, options: Partial<Parameters<typeof openSftp>[1]> = {}): Promise<Sftp> {
  const sftp = await openSftp(login, { hostKey: sshd.hostKey(), ...options });
  opened.push(sftp);
  return sftp;
}

/** Returns the error of work that must fail. */
export const failure = async (work: Promise<unknown>): Promise<ProviderError> => {
  const error = await work.then(
    () => expect.unreachable('it worked'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
};

/** Starts a server on a free port. */
export async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A path of the folder of sites on the server. */
export const at = (path: string): string => sshd.remote(`${WEB_ROOT}/${path}`);
/** The same on this disk. */
export const onDisk = (path: string): string => sshd.local(`${WEB_ROOT}/${path}`);
