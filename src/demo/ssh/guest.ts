import type { ServerChannel } from 'ssh2';
import { takeSshFault, type SshEntry, type SshFault } from './faults.ts';
import { OPERATIONS, type Asked, type Guest } from './operations.ts';
import { fieldsOf, packets, replies, REQUESTS, STATUS } from './wire.ts';

const MOST_PACKET = 1024 * 1024;

const CODES: Record<string, number> = {
  ENOENT: STATUS.missing,
  ENOTDIR: STATUS.missing,
  EINVAL: STATUS.badMessage,
  EACCES: STATUS.denied,
  EPERM: STATUS.denied,
};

/** The server's state for one connection: the tree, the faults, the log, and a function that cuts the connection. */
export interface House {
  root: string;
  free: () => bigint | undefined;
  /** Latency of what a guest sends, in ms. */
  latency: () => number;
  faults: SshFault[];
  record: (entry: SshEntry) => void;
  /** Counts chunks that guests have sent and that are not served yet. */
  underWay: (by: 1 | -1) => void;
  cut: () => void;
}

const refused = (id: number, error: unknown): Buffer => {
  const { code = '' } = error as NodeJS.ErrnoException;
  // Only the code: the error's message would reveal the folder on disk.
  return replies.status(id, CODES[code] ?? STATUS.failure, code || 'Failure');
};

/** Performs an operation and returns the reply; null if there is none, because the connection was cut or hangs. */
async function perform(house: House, entry: SshEntry, asked: Asked, id: number): Promise<Buffer | null> {
  const fault = takeSshFault(house.faults, entry);
  const cut = (): null => {
    entry.outcome = 'cut';
    house.cut();
    return null;
  };
  if (fault === 'cut-before') return cut();
  if (fault === 'denied' || fault === 'failure') {
    entry.outcome = 'failed';
    return replies.status(id, fault === 'denied' ? STATUS.denied : STATUS.failure, 'Failure');
  }
  const reply = await asked.run(id).catch((error: unknown) => {
    entry.outcome = 'failed';
    return refused(id, error);
  });
  if (fault === 'act-then-cut') return cut();
  if (fault === 'act-then-hang') return null;
  return fault === 'malformed' ? Buffer.from([0, 0, 0, 5, 250, 1, 2, 3, 4]) : reply;
}

async function answer(house: House, guest: Guest, packet: Buffer): Promise<Buffer | null> {
  const known = REQUESTS[packet[0] ?? 0] ?? '';
  if (known === 'init') return replies.version();
  const fields = fieldsOf(packet, 1);
  const id = fields.number();
  const operation = known === 'extended' ? fields.text() : known;
  const read = OPERATIONS[operation];
  if (!read) return replies.status(id, STATUS.unsupported, 'Operation unsupported');
  const asked = read(guest, fields);
  const { path, target, size } = asked;
  const name = operation.replace('@openssh.com', '');
  const entry: SshEntry = {
    operation: name,
    path,
    ...(target === undefined ? {} : { target }),
    ...(size === undefined ? {} : { size }),
    outcome: 'done',
  };
  house.record(entry);
  return perform(house, entry, asked, id);
}

/** Serves SFTP on a channel, one request after the other, until it ends. */
export function serveSftp(channel: ServerChannel, house: House): void {
  const guest: Guest = { root: house.root, free: house.free, handles: new Map(), opened: 0 };
  let last: Promise<void> = Promise.resolve();
  const serve = async (packet: Buffer): Promise<void> => {
    const reply = await answer(house, guest, packet);
    if (reply && channel.writable) channel.write(reply);
  };
  const read = packets(MOST_PACKET, (packet) => {
    if (packet === null) house.cut();
    // A packet that can't be read ends the connection, as with OpenSSH.
    else last = last.then(() => serve(packet)).catch(() => house.cut());
  });
  channel.on('data', (chunk: Buffer) => {
    const ms = house.latency();
    house.underWay(1);
    const arrive = (): void => {
      read(chunk);
      void last.then(() => house.underWay(-1));
    };
    if (ms > 0) setTimeout(arrive, ms);
    else arrive();
  });
  const leave = (): void => {
    const close = async (): Promise<void> => {
      await Promise.allSettled([...guest.handles.values()].map(async ({ file }) => file?.close()));
      guest.handles.clear();
      channel.exit(0);
      channel.end();
    };
    last = last.then(close).catch(() => undefined);
  };
  channel.once('end', leave);
  channel.once('close', leave);
}
