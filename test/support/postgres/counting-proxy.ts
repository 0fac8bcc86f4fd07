// A door before a PostgreSQL server that counts the round trips of what goes through it.
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';

/** A door before a server, and what has gone through it. */
export interface CountingProxy {
  /** The address of the server's database through the door. */
  address: string;
  /** Returns how many round trips there were since the last call, over all connections. */
  take: () => number;
  close: () => Promise<void>;
}

// Delay of an answer: all queries that are sent in one turn have come before it goes back.
const ANSWERED_MS = 5;

/** Opens a door on loopback before the server on a socket that an address names. */
export async function startCountingProxy(server: string): Promise<CountingProxy> {
  const url = new URL(server);
  const socket = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  let trips = 0;
  const open = new Set<Socket>();
  const door = createServer((client) => {
    const behind = createConnection(socket);
    // All that is sent until the server answers is one round trip.
    let isAnswered = true;
    client.on('data', (bytes) => {
      if (isAnswered) trips += 1;
      isAnswered = false;
      behind.write(bytes);
    });
    behind.on('data', (bytes) => {
      setTimeout(() => {
        isAnswered = true;
        client.write(bytes);
      }, ANSWERED_MS);
    });
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  url.search = '';
  url.host = `127.0.0.1:${(door.address() as AddressInfo).port}`;
  return {
    address: url.href,
    take: () => {
      const taken = trips;
      trips = 0;
      return taken;
    },
    close: async () => {
      for (const one of open) one.destroy();
      await new Promise((resolve) => door.close(resolve));
    },
  };
}
