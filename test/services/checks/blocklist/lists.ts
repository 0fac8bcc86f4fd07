// Shared parts of the tests of the blocklist: its folder, list files, and servers that offer lists.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { checkBlocklist } from '../../../../src/services/checks/blocklist.ts';

/** The time at which lists are loaded and asked. */
export const NOW = new Date('2026-11-20T12:00:00Z');
/** Returns the time some hours before `NOW`. */
export const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);
/** Returns a list of that many names. */
export const names = (count: number, prefix = 'name'): string =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}.example\n`).join('');

/** The folder of the running test. */
export let root = '';
/** The folder of its blocklist. */
export let dir = '';
let servers: Server[] = [];

/** Makes an empty folder before each test; removes it and ends the servers after it. */
export function useLists(): void {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'blocklist-'));
    dir = join(root, 'blocklist');
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done).closeAllConnections())));
    servers = [];
    rmSync(root, { recursive: true });
  });
}

/** Writes a file into the folder of the test, and returns its path. */
export function file(content: string | Buffer, name = 'list.txt'): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

/** Starts a server that is closed after the test, and returns its address. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The verdicts on some names. */
export const statuses = async (hosts: string[], now = NOW): Promise<string[]> =>
  (await checkBlocklist(dir, hosts, now)).map(({ status }) => status);

/** The bytes of the current list and the names of all files beside it. */
export const snapshot = () => ({ bytes: readFileSync(join(dir, 'list.idx')), files: readdirSync(dir).toSorted() });
