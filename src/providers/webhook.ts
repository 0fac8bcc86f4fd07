import { createHmac } from 'node:crypto';
import { lookup, type LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../lib/addresses.ts';
import type { NoticeChannel, Sent } from './provider.ts';

/** Where a webhook is called, and the secret by which it knows who calls. */
export interface WebhookAddress {
  url: string;
  secret: string;
}

const TIMEOUT_MS = 10_000;
const LONGEST_WAIT_S = 3_600;

/** Returns the signature of a body: HMAC-SHA-256 over the time (in seconds), a dot and the body, in hex. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

class PrivateAddress extends Error {}

/** Resolves as Node does, and refuses private addresses: the connection goes to the address that was looked at. */
const lookupPublic: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    const isPublic = first !== undefined && addresses.every(({ address }) => isPublicAddress(address));
    if (error || !isPublic) return callback(error ?? new PrivateAddress(), '', 4);
    if (options.all === true) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};

/** Returns what an answer means: 410 ends the webhook, other refusals end the delivery, all else may pass. */
function meaningOf(status: number, retryAfter: string | undefined): Sent {
  if (status >= 200 && status < 300) return { outcome: 'sent', ref: null };
  const reason = `http_${status}`;
  if (status === 410) return { outcome: 'gone', reason };
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
    return { outcome: 'later', seconds: Math.min(seconds, LONGEST_WAIT_S), reason };
  }
  return { outcome: 'failed', reason };
}

// Node's errors of an invalid certificate: their codes have no class of their own.
const isCertificate = ({ code = '' }: NodeJS.ErrnoException): boolean => /CERT|_SIGNATURE$/.test(code);

const failureOf = (error: Error): Sent =>
  error instanceof PrivateAddress
    ? { outcome: 'failed', reason: 'private_address' }
    : { outcome: 'later', seconds: 0, reason: isCertificate(error) ? 'bad_certificate' : 'no_answer' };

function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
  allowPrivate: boolean,
): Promise<Sent> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const request = send(
      url,
      {
        method: 'POST',
        headers,
        agent: false,
        timeout: TIMEOUT_MS,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(!allowPrivate && { lookup: lookupPublic }),
      },
      (response) => {
        // The body of an answer says nothing to us: it is not read.
        response.destroy();
        resolve(meaningOf(response.statusCode ?? 0, response.headers['retry-after']));
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', (error) => resolve(failureOf(error)));
    request.end(body);
  });
}

/**
 * Webhooks: JSON by POST, signed, without following redirects. `X-Seo-Admin-Delivery` is the same at every try, so that a receiver can
 * tell a repeat. The address is a WebhookAddress as JSON.
 */
export const webhookChannel = (allowPrivate: boolean): NoticeChannel => ({
  send: async (address, content, signal, key = '') => {
    const { url, secret } = JSON.parse(address) as WebhookAddress;
    const parsed = new URL(url);
    const host = parsed.hostname.replace(/^\[|\]$/g, '');
    // An address that is written as such is never looked up.
    if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host))
      return { outcome: 'failed', reason: 'private_address' };
    const { title, lines, link } = content;
    const body = JSON.stringify({ id: key, title, lines, link });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'seo-admin',
      'x-seo-admin-delivery': key,
      'x-seo-admin-timestamp': timestamp,
      'x-seo-admin-signature': `sha256=${signatureOf(secret, timestamp, body)}`,
    };
    return post(parsed, headers, body, signal, allowPrivate);
  },
});
