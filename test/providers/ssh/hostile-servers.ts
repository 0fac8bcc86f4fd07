// Servers other than OpenSSH, for the tests of the SSH adapter.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';
import { newPair } from '../../../src/demo/ssh/keys.ts';
import { afterEach, expect } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { openSftp } from '../../../src/providers/ssh.ts';
import type { Sftp } from '../../../src/providers/ssh/sftp.ts';

/** The password of the adapter. */
export const SECRET = 'correct horse battery staple';
const HOST_KEY = newPair().private;
/** A timeout for servers that say nothing. */
export const ANSWER_MS = 400;
/** The status codes of SFTP. */
export const { STATUS_CODE } = ssh2.utils.sftp;

const closing: (() => void)[] = [];
/** Closes all servers and connections after each test. */
export function useServers(): void {
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
}

async function listening(server: Server | ssh2.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  closing.push(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts a raw TCP server that passes each connection to `talk`; returns its port. */
export const rawServer = (talk: (socket: Socket) => void): Promise<number> =>
  listening(
    createServer((socket) => {
      closing.push(() => void socket.destroy());
      socket.on('error', () => undefined).resume();
      talk(socket);
    }),
  );

const login = (port: number) => ({ host: '127.0.0.1', port, user: 'root', secret: SECRET });
// A long timeout for servers that are dropped for their answers and not for their silence.
const PATIENT_MS = 20_000;
/** Opens SFTP by the adapter. */
export const open = (port: number, answerMs = PATIENT_MS): Promise<Sftp> =>
  openSftp(login(port), { hostKey: null, answerMs });

/** Returns the error of work that must fail, which is short and has no password in it. */
export async function failure(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => expect.unreachable('it worked'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(ProviderError);
  const said = error as ProviderError;
  expect(`${said.message} ${String(said.cause)}`).not.toContain(SECRET);
  expect(said.message.length).toBeLessThan(300);
  return said;
}

/** Writes endlessly and counts the accepted bytes. */
export function flood(socket: Socket, chunk: Buffer): { sent: () => number } {
  let sent = 0;
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
  };
  socket.on('drain', write);
  write();
  return { sent: () => sent };
}

interface Packets {
  allocStart: number;
  alloc: (size: number) => Buffer;
  finalize: (packet: Buffer) => Buffer;
}

const USERAUTH_BANNER = 53;

/** Sends a banner, which a server may do until the login ends; ssh2 sends only one and has no public call for it. */
export function sendBanner(connection: Connection, text: Buffer): void {
  const protocol: object = Reflect.get(connection, '_protocol');
  const { write } = Reflect.get(protocol, '_packetRW') as { write: Packets };
  const { encrypt } = Reflect.get(protocol, '_cipher') as { encrypt: (packet: Buffer) => void };
  const packet = write.alloc(1 + 4 + text.length + 4);
  const at = write.allocStart;
  packet[at] = USERAUTH_BANNER;
  packet.writeUInt32BE(text.length, at + 1);
  text.copy(packet, at + 5);
  packet.writeUInt32BE(0, at + 5 + text.length);
  encrypt.call(Reflect.get(protocol, '_cipher'), write.finalize(packet));
}

/** Deviations of an SSH server from a usual one. */
export interface Behaviour {
  authenticate?: (context: ssh2.AuthContext, connection: Connection) => void;
  /** The SFTP handlers of this server; without them it has no SFTP. */
  sftp?: (sftp: SFTPWrapper) => void;
}

/** Starts an SSH server that accepts every login; returns its port. */
export async function sshServer({ authenticate, sftp }: Behaviour): Promise<number> {
  const server = new ssh2.Server({ hostKeys: [HOST_KEY] }, (connection) => {
    closing.push(() => void connection.end());
    connection.on('error', () => undefined);
    connection.on('authentication', (context) => {
      if (authenticate) authenticate(context, connection);
      else context.accept();
    });
    connection.on('session', (accept) => {
      const session = accept();
      if (sftp) session.on('sftp', (accept) => sftp(accept()));
    });
  });
  return listening(server);
}
