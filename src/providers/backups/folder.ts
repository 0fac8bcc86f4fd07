import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ProviderError } from '../provider-error.ts';
import { draftOf, isLeft, type CopyTarget, type StoredFile } from './target.ts';

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Turns an error of the system into one of a target: what it says is a path and a reason. */
async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new ProviderError('refused', message, { code, cause: error });
  }
}

/** Opens another folder of this machine, such as a mounted disk. It has to exist: else a disk that is not mounted would be filled. */
export function openFolder(folder: string): CopyTarget {
  return {
    list: () =>
      asking(async () => {
        const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
        const stored: StoredFile[] = [];
        for (const { name } of files) {
          const { size, mtimeMs } = await stat(join(folder, name));
          stored.push({ name, bytes: size });
          if (isLeft(name, mtimeMs)) await rm(join(folder, name), { force: true });
        }
        return stored;
      }),
    put: (name, { path, sha256 }) =>
      asking(async () => {
        const draft = join(folder, draftOf(name));
        try {
          await copyFile(path, draft);
          await chmod(draft, 0o600);
          await sync(draft);
          if ((await sha256Of(draft)) !== sha256) throw new ProviderError('malformed', `${draft}: sha256`);
          await rename(draft, join(folder, name));
          await sync(folder);
        } finally {
          await rm(draft, { force: true });
        }
      }),
    get: (name, path) => asking(() => copyFile(join(folder, name), path)),
    remove: (name) => asking(() => rm(join(folder, name), { force: true })),
    close: async () => undefined,
  };
}
