import { isIPv4 } from 'node:net';

/** Returns whether a host to listen on is this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
