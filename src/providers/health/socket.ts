import { type Socket, connect as connectPlain, isIP } from 'node:net';
import { type SecureContext, createSecureContext, connect as connectTls, TLSSocket } from 'node:tls';
import type { HealthError, CertificateFault } from '../../shared/checks/health.ts';

/** How far a request came: a failure at a later stage tells more about the site. */
export const STAGES = ['refused', 'connect', 'tls', 'answer'] as const;

export type Stage = (typeof STAGES)[number];

/** One request: what is asked, at which address, and how long. */
export interface Question {
  url: URL;
  address: string;
  port: number;
  /** Milliseconds for the connection, including TLS. */
  readyMs: number;
  /** Milliseconds until the head of the answer, and the part of its body that is read, must have arrived. */
  totalMs: number;
  /** Number of bytes of the body to read; the rest is not read. */
  bodyBytes: number | undefined;
}

// TLS alerts 40 and 112: the answer of an edge for a name whose certificate is still being issued.
export const NO_CERTIFICATE = /^ERR_SSL_.*(?:HANDSHAKE_FAILURE|UNRECOGNIZED_NAME)$/;

const secureContexts = new Map<string | undefined, SecureContext>();

function secureContextFor(ca: string | undefined): SecureContext {
  const known = secureContexts.get(ca);
  if (known) return known;
  const made = createSecureContext(ca === undefined ? {} : { ca });
  secureContexts.set(ca, made);
  return made;
}

/** Receives bytes as they come; the buffer is overwritten afterwards. */
type OnBytes = (length: number, bytes: Uint8Array) => boolean;

/** Receiver of a socket's bytes, which can be replaced. */
export interface Ear {
  hear: OnBytes;
}

/** Reads nothing: an `Ear` before and after it listens. */
export const deaf = (): boolean => true;
const onreadFor = (ear: Ear) => ({
  onread: { buffer: received, callback: (length: number, bytes: Uint8Array) => ear.hear(length, bytes) },
});

// One buffer for all sockets, because bytes are parsed as they come: a buffer for each read would be most of a check's memory.
const received = Buffer.allocUnsafeSlow(65_536);

// A faulty certificate is reported, not refused: the site is up, and nothing secret is sent.
export function openSocket({ url, address, port }: Question, ca: string | undefined, ear?: Ear): Socket {
  const onread = ear && onreadFor(ear);
  if (url.protocol !== 'https:') return connectPlain({ host: address, port, ...onread });
  const name = hostOf(url);
  return connectTls({
    host: address,
    port,
    ...onread,
    secureContext: secureContextFor(ca),
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    servername: isIP(name) ? undefined : name.replace(/\.$/, ''),
  });
}

/** Returns the error of a check for that of a socket at a stage. */
export function errorOf({ code = '' }: NodeJS.ErrnoException, stage: Stage): HealthError {
  const known = SOCKET_ERRORS[code];
  if (known !== undefined) return known;
  if (code === 'ETIMEDOUT') return stage === 'connect' ? 'connect_timeout' : 'timeout';
  if (stage === 'connect') return 'unreachable';
  return stage === 'tls' || code === 'EPROTO' || code.startsWith('ERR_SSL') ? 'tls' : 'bad_answer';
}

const SOCKET_ERRORS: Record<string, HealthError> = {
  ECONNREFUSED: 'connect_refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  EMFILE: 'local_failure',
  ENFILE: 'local_failure',
  ENOBUFS: 'local_failure',
  ENOMEM: 'local_failure',
  EADDRNOTAVAIL: 'local_failure',
};

/** Returns what is wrong with the certificate of a socket; null: it was verified. */
export function certificateFault(socket: Socket): CertificateFault | null {
  if (!(socket instanceof TLSSocket) || socket.authorized) return null;
  // Its declared type is Error; at run time it is the code (node:_tls_wrap, onConnectSecure).
  return CERTIFICATE_ERRORS[String(socket.authorizationError)] ?? 'untrusted';
}

const CERTIFICATE_ERRORS: Record<string, CertificateFault> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'self_signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_name',
};

/** Returns the host of a URL; an IPv6 address without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
