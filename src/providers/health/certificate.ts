import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { CertificateFault, HealthError } from '../../shared/checks/health.ts';
import type { HealthOptions } from '../health.ts';
import { deaf, certificateFault, errorOf, NO_CERTIFICATE, openSocket, type Stage } from './socket.ts';
import { locate } from './visit.ts';
import { openNames } from './resolve.ts';

/** The certificate that a host shows for its name; `fault`: why a visitor's browser warns of it. */
export interface SeenCertificate {
  issuer: string | null;
  names_ok: boolean;
  not_after: string | null;
  fault: CertificateFault | null;
}

/** A look at a certificate: what was seen, or why nothing was. `noCertificate`: the server has none for the name. */
export type CertificateLook = SeenCertificate | { error: HealthError; noCertificate: boolean };

// Texts of a certificate are foreign, and may be as long as its sender likes.
const MOST_SHOWN = 100;
const shown = (text: unknown): string | null =>
  typeof text === 'string' && text !== ''
    ? text
        .replaceAll(/[\p{C}\s]+/gu, ' ')
        .trim()
        .slice(0, MOST_SHOWN)
    : null;

const timeOf = (text: string | undefined): string | null => {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
};

function seenOf(socket: TLSSocket, host: string): SeenCertificate {
  const { issuer, valid_to, ...rest }: Partial<PeerCertificate> = socket.getPeerCertificate();
  const certificate = { issuer, valid_to, ...rest } as PeerCertificate;
  return {
    issuer: shown(issuer?.O) ?? shown(issuer?.CN),
    names_ok: valid_to !== undefined && checkServerIdentity(host, certificate) === undefined,
    not_after: timeOf(valid_to),
    fault: certificateFault(socket),
  };
}

/**
 * Shakes hands with port 443 of a host and reads its certificate; nothing is asked for. Connects only where `checkHealth` would, and
 * to the first address that takes the connection; `timeoutMs` is for all of them, without the look-up. Never rejects.
 */
export async function readCertificate(host: string, options: HealthOptions): Promise<CertificateLook> {
  const { allowPrivate = false, connectTo = [], dns, ca, signal, timeoutMs = 10_000 } = options;
  const names = openNames(dns);
  const stop = (): void => names.cancel();
  signal?.addEventListener('abort', stop);
  try {
    const url = new URL(`https://${host}/`);
    const place = await locate({ run: { allowPrivate, connectTo, names }, lookups: [] }, url);
    if ('error' in place) return { error: place.error, noCertificate: false };
    let look: CertificateLook & { stage?: Stage } = { error: 'reset', noCertificate: false };
    const end = performance.now() + timeoutMs;
    for (const [index, address] of place.addresses.entries()) {
      if (signal?.aborted) break;
      const limit = (end - performance.now()) / (place.addresses.length - index);
      look = await shake({ url, address, port: place.port }, limit, { ca, signal });
      if (!('error' in look) || look.stage !== 'connect') break;
    }
    return 'error' in look ? { error: look.error, noCertificate: look.noCertificate } : look;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

interface Target {
  url: URL;
  address: string;
  port: number;
}

function shake(
  { url, address, port }: Target,
  limitMs: number,
  { ca, signal }: { ca: string | undefined; signal: AbortSignal | undefined },
): Promise<SeenCertificate | { error: HealthError; noCertificate: boolean; stage: Stage }> {
  return new Promise((resolve) => {
    let stage: Stage = 'connect';
    const question = { url, address, port, readyMs: limitMs, totalMs: limitMs, bodyBytes: undefined };
    const socket = openSocket(question, ca) as TLSSocket;
    const finish = (look: Parameters<typeof resolve>[0]): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      socket.off('error', fail).off('close', closed).on('error', deaf);
      socket.destroy();
      resolve(look);
    };
    const failed = (error: HealthError, noCertificate = false): void => finish({ error, noCertificate, stage });
    const fail = (error: NodeJS.ErrnoException): void =>
      failed(errorOf(error, stage), NO_CERTIFICATE.test(error.code ?? ''));
    const closed = (): void => failed('reset');
    const abort = (): void => failed(stage === 'connect' ? 'connect_timeout' : 'timeout');
    const timer = setTimeout(abort, Math.max(limitMs, 0));
    signal?.addEventListener('abort', abort);
    socket.on('error', fail);
    socket.on('close', closed);
    socket.once('connect', () => (stage = 'tls'));
    socket.once('secureConnect', () => finish(seenOf(socket, url.hostname)));
  });
}

/** Returns the addresses that a name leads to, as a check would ask them; private ones are an error unless allowed. */
export async function findPlace(
  host: string,
  { allowPrivate = false, connectTo = [], dns, signal }: HealthOptions,
): Promise<{ addresses: string[] } | { error: HealthError }> {
  const names = openNames(dns);
  const stop = (): void => names.cancel();
  signal?.addEventListener('abort', stop);
  try {
    return await locate({ run: { allowPrivate, connectTo, names }, lookups: [] }, new URL(`https://${host}/`));
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
