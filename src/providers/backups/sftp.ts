import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ProviderError } from '../provider-error.ts';
import { openSftp, type SshLogin } from '../ssh.ts';
import { draftOf, isLeft, type CopyTarget } from './target.ts';

/** A folder on a server, and the host key that it has to show. */
export interface SftpPlace extends SshLogin {
  folder: string;
  hostKey: string;
}

/** Opens a folder on a server over SFTP, making it if it is not there. Throws ProviderError; `untrusted` for another host key than the pinned one. */
export async function openSftpTarget({ folder, hostKey, ...login }: SftpPlace): Promise<CopyTarget> {
  const sftp = await openSftp(login, { hostKey });
  const at = (name: string): string => `${folder === '/' ? '' : folder}/${name}`;
  const sha256Of = async (path: string): Promise<string> => {
    const hash = createHash('sha256');
    await sftp.fetchFile(path, async (chunk) => void hash.update(chunk));
    return hash.digest('hex');
  };
  return {
    list: async () => {
      const files = ((await sftp.list(folder)) ?? []).filter(({ type }) => type === 'file');
      for (const { name, modified } of files) if (isLeft(name, modified * 1_000)) await sftp.removeFile(at(name));
      return files.map(({ name, size }) => ({ name, bytes: size }));
    },
    put: async (name, { path, sha256 }) => {
      const draft = at(draftOf(name));
      await sftp.makeDirs(folder);
      try {
        await sftp.sendFile(path, draft);
        // Read back: a server may lose what it has acknowledged.
        if ((await sha256Of(draft)) !== sha256) throw new ProviderError('malformed', `${draft}: sha256`);
        await sftp.rename(draft, at(name));
      } catch (error) {
        await sftp.removeFile(draft).catch(() => undefined);
        throw error;
      }
    },
    get: async (name, path) => {
      const file = await open(path, 'w', 0o600);
      try {
        // From where it stands, and all of it: `write` may take a part of a chunk alone.
        await sftp.fetchFile(at(name), (chunk) => file.writeFile(chunk));
      } finally {
        await file.close();
      }
    },
    remove: (name) => sftp.removeFile(at(name)),
    close: () => sftp.close(),
  };
}
