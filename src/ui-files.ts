// The files of the built interface. An update replaces them while the server runs.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import sirv from 'sirv';
import { DEMO_MARK } from './shared/demo.ts';
import { AppError } from './shared/errors.ts';

// Names of domains end like files, and those of projects may: these paths are the app's, never a file's.
const PAGES_BY_NAME = ['/sites/', '/projects/'];
// The sign-in and the first setup share a small page of their own.
const BEFORE_SIGN_IN = /^\/(?:login|setup)\/?$/i;
const ASSET = /^\/assets\/[\w-][\w.-]*$/;

type Files = ReturnType<typeof sirv>;

/** Returns the file to look for instead of an address; undefined: the address itself. */
function pageOf(path: string): string | undefined {
  if (BEFORE_SIGN_IN.test(path)) return '/sign-in.html';
  return PAGES_BY_NAME.some((start) => path.startsWith(start)) ? '/' : undefined;
}

/** Reads what there is in the folder: a file that comes or goes later is not noticed. */
const readFolder = (folder: string): Files =>
  sirv(folder, {
    single: true,
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: (response, path) =>
      response.setHeader(
        'Cache-Control',
        path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  });

interface Build {
  /** Modification time, size and inode of the page: they differ between two builds. */
  mark: string;
  /** When its page was put there, whatever time it bears. */
  putAt: number;
}

/** Returns the build that is there; undefined: none. */
async function buildIn(folder: string): Promise<Build | undefined> {
  try {
    const { mtimeMs, size, ino, ctimeMs } = await stat(join(folder, 'index.html'));
    return { mark: `${mtimeMs} ${size} ${ino}`, putAt: ctimeMs };
  } catch {
    return undefined;
  }
}

// The files beside a page may come after it. A file that was read while it was being written would keep the length that it had then.
const COMPLETE_MS = 60_000;
const AGAIN_MS = 1_000;

/** Returns whether a folder that was read at a time may have been incomplete then, and is to be read again. */
const isUnsettled = ({ putAt }: Build, readAt: number): boolean =>
  readAt < putAt + COMPLETE_MS && Date.now() >= readAt + AGAIN_MS;

/**
 * Serves the built UI; every path that is no file gets the app's page, and so does that of a domain. Files with hashed names are
 * cached for good, others never unchecked. The pages of a demo tell that they are one in a header that scripts can read.
 */
export function serveUi(folder: string, isDemo = false): (context: Context) => Promise<void> {
  // The folder is read at the first request, not to delay the start, and again when it has another build.
  let files: Files | undefined;
  let mark: string | undefined;
  let readAt = 0;

  const answer = ({ path, req, res }: Context, found: Files, isLast: boolean): void => {
    const url = pageOf(path);
    const asked = url === undefined ? req : Object.assign(Object.create(req), { url });
    found(asked as IncomingMessage, res, () => {
      if (!isLast && ASSET.test(path) && existsSync(join(folder, path))) {
        files = readFolder(folder);
        answer({ path, req, res } as Context, files, true);
        return;
      }
      res.statusCode = 404;
      res.end('Not found');
    });
  };

  return async (context) => {
    const build = await buildIn(folder);
    if (build === undefined) throw new AppError('not_configured', 'error.no_ui');
    if (build.mark !== mark || isUnsettled(build, readAt)) files = undefined;
    mark = build.mark;
    if (!files) {
      readAt = Date.now();
      files = readFolder(folder);
    }
    const found = files;
    const { res } = context;
    context.respond = false;
    res.statusCode = 200;
    if (isDemo) res.setHeader('Server-Timing', DEMO_MARK);
    // Its length was announced: all that can be said of a file that has gone is that there is no answer. Unheard, the error would end the process.
    res.once('pipe', (file: Readable) => {
      file.once('error', () => {
        files = undefined;
        res.destroy();
      });
    });
    await new Promise<void>((resolve) => {
      res.once('close', resolve);
      answer(context, found, false);
    });
  };
}
