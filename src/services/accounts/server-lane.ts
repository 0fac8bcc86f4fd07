import { ProviderError } from '../../providers/provider-error.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';

// After these errors the connection can't be used any more.
const BROKEN = new Set<unknown>(['unavailable', 'malformed']);

/**
 * Returns a session that replaces a lost connection: the call that failed is not repeated, the next one goes over a new
 * connection. Opens the first at once. Throws what `open` throws.
 */
export async function reopening(open: () => Promise<Sftp>): Promise<Sftp> {
  const { hostKey, ...first } = await open();
  let current: Promise<Omit<Sftp, 'hostKey'>> | null = Promise.resolve(first);
  const forget = (session: typeof current): void => {
    if (current !== session) return;
    current = null;
    session?.then((sftp) => sftp.close()).catch(() => undefined);
  };
  const ask = async <T>(work: (sftp: Omit<Sftp, 'hostKey'>) => Promise<T>): Promise<T> => {
    const session = (current ??= open());
    const sftp = await session.catch((error: unknown) => {
      forget(session);
      throw error;
    });
    try {
      return await work(sftp);
    } catch (error) {
      if (error instanceof ProviderError && BROKEN.has(error.kind)) forget(session);
      throw error;
    }
  };
  return {
    hostKey,
    list: (dir) => ask((sftp) => sftp.list(dir)),
    stat: (path) => ask((sftp) => sftp.stat(path)),
    readLink: (path) => ask((sftp) => sftp.readLink(path)),
    realPath: (path) => ask((sftp) => sftp.realPath(path)),
    readFile: (path, limit) => ask((sftp) => sftp.readFile(path, limit)),
    writeFile: (path, content) => ask((sftp) => sftp.writeFile(path, content)),
    sendFile: (from, path) => ask((sftp) => sftp.sendFile(from, path)),
    fetchFile: (path, take) => ask((sftp) => sftp.fetchFile(path, take)),
    makeDirs: (path) => ask((sftp) => sftp.makeDirs(path)),
    rename: (from, to) => ask((sftp) => sftp.rename(from, to)),
    renameBoth: (first, second) => ask((sftp) => sftp.renameBoth(first, second)),
    freeSpace: (path) => ask((sftp) => sftp.freeSpace(path)),
    link: (target, path) => ask((sftp) => sftp.link(target, path)),
    removeFile: (path) => ask((sftp) => sftp.removeFile(path)),
    removeTree: (path) => ask((sftp) => sftp.removeTree(path)),
    removeEmpty: (path) => ask((sftp) => sftp.removeEmpty(path)),
    close: async () => {
      const session = current;
      current = null;
      await (await session)?.close();
    },
  };
}
