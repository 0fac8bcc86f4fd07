import { once } from 'node:events';
import { connect } from 'node:net';
import { measuringCall } from '../../lib/measures.ts';
import { ProviderError } from '../provider-error.ts';

const PORT = 43;
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;

/** Where to ask. Default of the port: 43. */
export interface WhoisServer {
  host: string;
  port?: number;
}

/** How to ask. `allow` decides on each address that the host's name leads to: referrals are text of strangers. */
export interface WhoisOptions {
  signal?: AbortSignal | undefined;
  lookup?: (host: string) => Promise<string>;
}

/** Makes one query and reads the answer to its end. Throws ProviderError `unavailable` or `malformed` (larger than 256 kB). */
export const askWhois = (server: WhoisServer, query: string, options: WhoisOptions = {}): Promise<string> =>
  measuringCall('whois', () => exchange(server, query, options), options.signal);

async function exchange(server: WhoisServer, query: string, options: WhoisOptions): Promise<string> {
  const { host, port = PORT } = server;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    const address = await (options.lookup?.(host) ?? host);
    signal.throwIfAborted();
    const socket = connect({ host: address, port, signal });
    try {
      await once(socket, 'connect', { signal });
      socket.write(`${query}\r\n`);
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of socket) {
        bytes += (chunk as Buffer).length;
        if (bytes > MAX_BYTES) throw new ProviderError('malformed', `${host}: the answer is larger than 256 kB`);
        chunks.push(chunk as Buffer);
      }
      return decode(Buffer.concat(chunks));
    } finally {
      socket.destroy();
    }
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    options.signal?.throwIfAborted();
    const code = timeout.aborted ? 'ETIMEDOUT' : codeOf(cause);
    throw new ProviderError('unavailable', `${host}: ${code ?? 'no answer'}`, { code, cause });
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

// Small letters of Russian stand at 0xC0–0xDF in KOI8-R and at 0xE0–0xFF in windows-1251; most letters of a text are small.
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    let koi = 0;
    let windows = 0;
    for (const byte of bytes) {
      if (byte >= 0xe0) windows += 1;
      else if (byte >= 0xc0) koi += 1;
    }
    return new TextDecoder(koi > windows ? 'koi8-r' : 'windows-1251').decode(bytes);
  }
}
