import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  symlink,
  truncate,
  utimes,
  type FileHandle,
} from 'node:fs/promises';
import { basename } from 'node:path';
import { placeOf, plainPath, refusal } from './tree.ts';
import { attributes, entry, NO_FACTS, replies, STATUS, type Attributes, type Fields } from './wire.ts';

const OPEN = { read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 };
const LIST_AT_ONCE = 100;
const MOST_READ = 256 * 1024;

/** An open handle: a file, or a folder whose names are returned in parts. */
interface Open {
  path: string;
  file?: FileHandle;
  names?: { place: string; left: string[] };
}

/** One guest's view of the tree. */
export interface Guest {
  root: string;
  /** Returns the free bytes; undefined: as on disk. */
  free?: () => bigint | undefined;
  handles: Map<string, Open>;
  opened: number;
}

/** A parsed operation: its fields for the log, and `run`, which performs it and returns the reply. */
export interface Asked {
  path: string;
  target?: string;
  size?: number;
  run: (id: number) => Promise<Buffer>;
}

const done = (id: number): Buffer => replies.status(id, STATUS.ok);

function flagsOf(wanted: number): string {
  const append = wanted & OPEN.append;
  if (!(wanted & (OPEN.write | OPEN.append))) return 'r';
  const exclusive = wanted & OPEN.exclusive ? 'x' : '';
  if (append) return `a${exclusive}+`;
  if (wanted & OPEN.truncate && wanted & OPEN.create) return `w${exclusive}+`;
  return 'r+';
}

async function openFile(place: string, wanted: number, mode: number | undefined): Promise<FileHandle> {
  const flags = flagsOf(wanted);
  if (flags !== 'r+' || !(wanted & OPEN.create)) {
    const file = await open(place, flags, mode ?? 0o644);
    if (flags === 'r+' && wanted & OPEN.truncate) await file.truncate(0);
    return file;
  }
  // Created if missing, else unchanged: no flag of Node's `open` does that and allows writes at any position.
  await (await open(place, wanted & OPEN.exclusive ? 'ax' : 'a', mode ?? 0o644)).close();
  return open(place, 'r+');
}

async function set(place: string, { size, mode, times }: Attributes): Promise<void> {
  if (size !== undefined) await truncate(place, size);
  if (mode !== undefined) await chmod(place, mode);
  if (times) await utimes(place, times.access, times.modified);
}

function keep(guest: Guest, id: number, held: Open): Buffer {
  guest.opened += 1;
  const handle = String(guest.opened);
  guest.handles.set(handle, held);
  return replies.handle(id, handle);
}

const held = (guest: Guest, handle: string): Open =>
  guest.handles.get(handle) ?? { path: '', names: { place: '', left: [] } };

const fileOf = ({ file, path }: Open): FileHandle => {
  if (!file) throw refusal('EBADF', path);
  return file;
};

async function read(id: number, file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.min(length, MOST_READ));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
  return bytesRead === 0 ? replies.status(id, STATUS.end) : replies.data(id, bytes.subarray(0, bytesRead));
}

async function list(id: number, { names }: Open): Promise<Buffer> {
  const part = names?.left.splice(0, LIST_AT_ONCE) ?? [];
  if (part.length === 0 || !names) return replies.status(id, STATUS.end);
  const entries = await Promise.all(
    part.map(async (name) => {
      const facts = await lstat(`${names.place}/${name}`);
      const kind = facts.isDirectory() ? 'd' : facts.isSymbolicLink() ? 'l' : '-';
      return entry(name, attributes(facts), `${kind}rw-r--r-- 1 root root ${facts.size} Jan 1 00:00 ${name}`);
    }),
  );
  return replies.names(id, entries);
}

async function close(id: number, guest: Guest, handle: string): Promise<Buffer> {
  await held(guest, handle).file?.close();
  guest.handles.delete(handle);
  return done(id);
}

async function move(root: string, from: string, to: string, replaces: boolean): Promise<void> {
  const [source, target] = [placeOf(root, from, false), placeOf(root, to, false)];
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (isThere && !replaces) throw refusal('EEXIST', to);
  await rename(source, target);
}

async function remove(place: string, path: string): Promise<void> {
  if ((await lstat(place)).isDirectory()) throw refusal('EISDIR', path);
  await rm(place);
}

type Read = (guest: Guest, fields: Fields) => Asked;

/** Makes an operation on a path; `follow`: on the target of a link there. */
const onPath =
  (follow: boolean, run: (place: string, path: string, id: number) => Promise<Buffer | void>): Read =>
  ({ root }, fields) => {
    const path = fields.text();
    return { path, run: async (id) => (await run(placeOf(root, path, follow), path, id)) ?? done(id) };
  };

/** Makes an operation on an open handle. */
const onHandle =
  (run: (open: Open, id: number) => Promise<Buffer | void>): Read =>
  (guest, fields) => {
    const open = held(guest, fields.text());
    return { path: open.path, run: async (id) => (await run(open, id)) ?? done(id) };
  };

const setting = (root: string, path: string, wanted: Attributes): Asked => ({
  path,
  run: async (id) => {
    await set(placeOf(root, path), wanted);
    return done(id);
  },
});

const renaming = (guest: Guest, fields: Fields, replaces: boolean): Asked => {
  const path = fields.text();
  const target = fields.text();
  return {
    path,
    target,
    run: async (id) => {
      await move(guest.root, path, target, replaces);
      return done(id);
    },
  };
};

/** The operations of the server. Parsing the fields has no effect. */
export const OPERATIONS: Record<string, Read> = {
  open: (guest, fields) => {
    const [path, wanted, { mode }] = [fields.text(), fields.number(), fields.attributes()];
    const run = async (id: number) => {
      const file = await openFile(placeOf(guest.root, path), wanted, mode);
      return keep(guest, id, { path, file });
    };
    return { path, run };
  },
  close: (guest, fields) => {
    const handle = fields.text();
    return { path: held(guest, handle).path, run: (id) => close(id, guest, handle) };
  },
  read: (guest, fields) => {
    const [open, offset, size] = [held(guest, fields.text()), fields.offset(), fields.number()];
    return { path: open.path, size, run: (id) => read(id, fileOf(open), offset, size) };
  },
  write: (guest, fields) => {
    const [open, offset, bytes] = [held(guest, fields.text()), fields.offset(), fields.bytes()];
    const run = async (id: number) => {
      await fileOf(open).write(bytes, 0, bytes.length, offset);
      return done(id);
    };
    return { path: open.path, size: bytes.length, run };
  },
  lstat: onPath(false, async (place, _path, id) => replies.facts(id, attributes(await lstat(place)))),
  stat: onPath(true, async (place, _path, id) => replies.facts(id, attributes(await stat(place)))),
  fstat: onHandle(async (open, id) => replies.facts(id, attributes(await fileOf(open).stat()))),
  setstat: ({ root }, fields) => setting(root, fields.text(), fields.attributes()),
  fsetstat: (guest, fields) => setting(guest.root, held(guest, fields.text()).path, fields.attributes()),
  opendir: (guest, fields) => {
    const path = fields.text();
    const run = async (id: number) => {
      const place = placeOf(guest.root, path);
      return keep(guest, id, { path, names: { place, left: await readdir(place) } });
    };
    return { path, run };
  },
  readdir: onHandle((open, id) => list(id, open)),
  remove: onPath(false, (place, path) => remove(place, path)),
  mkdir: onPath(false, (place) => mkdir(place)),
  rmdir: onPath(false, (place) => rmdir(place)),
  realpath: ({ root }, fields) => {
    const path = fields.text();
    const run = async (id: number) => {
      const place = placeOf(root, path);
      return replies.names(id, [entry(plainPath(place.slice(root.length)), NO_FACTS)]);
    };
    return { path, run };
  },
  rename: (guest, fields) => renaming(guest, fields, false),
  readlink: onPath(false, async (place, _path, id) =>
    replies.names(id, [entry(await readlink(place), NO_FACTS, basename(place))]),
  ),
  // OpenSSH swaps the two arguments of the draft, and clients follow it.
  symlink: ({ root }, fields) => {
    const [target, path] = [fields.text(), fields.text()];
    const run = async (id: number) => {
      await symlink(target, placeOf(root, path, false));
      return done(id);
    };
    return { path, target, run };
  },
  'statvfs@openssh.com': ({ root, free }, fields) => {
    const path = fields.text();
    const run = async (id: number) => {
      const facts = await statfs(placeOf(root, path), { bigint: true });
      const left = free?.() ?? facts.bavail * facts.bsize;
      const { bsize, blocks, files, ffree } = facts;
      return replies.numbers(id, [1, 1, blocks * bsize, left, left, files, ffree, ffree, 0, 0, 255]);
    };
    return { path, run };
  },
  'posix-rename@openssh.com': (guest, fields) => renaming(guest, fields, true),
};
