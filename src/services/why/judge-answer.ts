import type { CertificateLook } from '../../providers/health/certificate.ts';
import type { PageResult } from '../../providers/health.ts';
import type { HealthError } from '../../shared/checks/health.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import { DAY_MS } from '../../shared/time.ts';
import { broken, none, ok, unknown, type OriginFact, type Verdict } from './facts.ts';

/** Errors that arise on our side or at our name server, and say nothing about the site. */
const OURS: ReadonlySet<HealthError> = new Set(['local_failure', 'dns_timeout', 'dns_failed', 'bad_name']);
const NAMELESS: ReadonlySet<HealthError> = new Set(['dns_not_found', 'dns_no_address']);

/** Returns the sentence about an error, followed by the error's own. */
const because = (key: Key, params: NonNullable<Message['params']>, error: HealthError): Message => ({
  key,
  params,
  also: [{ key: `health.${error}` }],
});

const isOwn = (host: string, domain: string): boolean => host === domain || host === `www.${domain}`;

/** Returns the status of the first answer; null: nothing answered. */
export const firstStatus = ({ hops }: PageResult): number | null => hops[0]?.status ?? null;

/** Returns the status of the last answer of the site's own names; null: nothing answered. */
export const ownStatus = ({ hops }: PageResult, domain: string): number | null =>
  hops.findLast(({ host }) => isOwn(host, domain))?.status ?? null;

/** Codes by which Cloudflare says that what stands behind it is at fault, and which. */
const BEHIND: ReadonlyMap<number, Key> = new Map([
  [520, 'why.edge_520'],
  [521, 'why.edge_521'],
  [522, 'why.edge_522'],
  [523, 'why.edge_523'],
  [524, 'why.edge_524'],
  [525, 'why.edge_525'],
  [526, 'why.edge_526'],
  [527, 'why.edge_527'],
  [530, 'why.edge_530'],
]);
const OF_CERTIFICATE = new Set([525, 526]);

/** Returns the sentence about an edge's own code; undefined: it is none. */
const behindOf = (status: number | null): Key | undefined => (status === null ? undefined : BEHIND.get(status));

/** How a name is reached: by its CDN, and with which server behind. */
export interface Way {
  domain: string;
  hasCdn: boolean;
  /** The server's address is known and may be asked. */
  hasOrigin: boolean;
  now: number;
}

const daysLeft = (not_after: string | null, now: number): number =>
  not_after === null ? 0 : Math.floor((Date.parse(not_after) - now) / DAY_MS);

const seen = (certificate: Exclude<CertificateLook, { error: HealthError }>, now: number): Message => ({
  key: 'why.certificate_ok',
  params: {
    n: daysLeft(certificate.not_after, now),
    day: certificate.not_after?.slice(0, 10) ?? '—',
    issuer: certificate.issuer ?? '—',
  },
});

/** Whether visitors get a certificate that they trust. */
export function judgeEdgeCertificate(way: Way, certificate: CertificateLook, visit: PageResult): Verdict {
  const { domain, hasCdn, now } = way;
  if (!('error' in certificate)) {
    const { fault } = certificate;
    if (fault === null) return ok(seen(certificate, now));
    const also = [{ key: `health.certificate_${fault}` } as const];
    return broken({ key: 'why.certificate_bad', params: { domain }, also }, hasCdn ? 'dns' : 'server');
  }
  if (certificate.noCertificate && hasCdn) return broken({ key: 'why.certificate_none', params: { domain } });
  const answersPlain = firstStatus(visit) !== null;
  if (!answersPlain) return unknown(because('why.certificate_unseen', { domain }, certificate.error));
  // Without a CDN a site may do without https; it is asked over http then.
  return hasCdn
    ? broken(because('why.no_https', { domain }, certificate.error), 'dns')
    : none({ key: 'why.plain_only', params: { domain } });
}

/** Whether the name answers at all: the edge, or the server itself where there is no CDN. */
export function judgeEdge(way: Way, visit: PageResult): Verdict {
  const { domain, hasCdn, hasOrigin } = way;
  const status = ownStatus(visit, domain);
  if (status === null) {
    const error = 'error' in visit ? visit.error : 'bad_answer';
    if (OURS.has(error)) return unknown(because('why.not_asked_by_us', { domain }, error));
    if (error === 'private_address') return broken({ key: 'why.private_address', params: { domain } }, 'dns');
    if (NAMELESS.has(error)) return broken(because('why.no_address', { domain }, error), 'name_servers');
    return broken(
      because(hasCdn ? 'why.edge_silent' : 'why.name_silent', { domain }, error),
      hasCdn ? 'dns' : 'server',
    );
  }
  const behind = behindOf(status);
  const message: Message = behind
    ? { key: behind, params: { status } }
    : { key: status >= 500 ? 'why.answers_error' : 'why.answers', params: { status } };
  // The layers behind the edge say more, as far as they can be asked.
  if (status < 500 || hasOrigin) return ok(message);
  return broken(message, behind === 'why.edge_530' ? 'dns' : 'server');
}

/** Whether the server itself answers for the name. */
export function judgeOrigin(way: Way, visit: PageResult, origin: OriginFact): Verdict {
  const { domain } = way;
  if (origin.kind === 'none') return none({ key: 'why.no_server' });
  const { address } = origin;
  if (origin.kind === 'private') return unknown({ key: 'why.origin_private', params: { address } });
  const { page } = origin;
  const status = firstStatus(page);
  const behind = behindOf(ownStatus(visit, domain));
  if (status === null) {
    const error = 'error' in page ? page.error : 'bad_answer';
    if (OURS.has(error)) return unknown(because('why.not_asked_by_us', { domain }, error));
    return broken(because('why.origin_silent', { domain, address }, error), 'server');
  }
  if (status >= 500) return broken({ key: 'why.origin_error', params: { domain, address, status } }, 'server');
  const edge = ownStatus(visit, domain);
  if (behind === 'why.edge_530') return broken({ key: behind, params: { status: edge ?? 0 } }, 'dns');
  if (behind && !OF_CERTIFICATE.has(edge ?? 0)) {
    return broken({ key: 'why.origin_for_us', params: { address }, also: [{ key: behind }] }, 'server');
  }
  // An error that the server does not have comes from the edge or another server.
  if (edge !== null && edge >= 500 && !behind) {
    return broken({ key: 'why.edge_only_error', params: { domain, status: edge, address } }, 'dns');
  }
  return ok({ key: 'why.origin_answers', params: { address, status } });
}

/** Whether the server's certificate satisfies the CDN. */
export function judgeOriginCertificate(way: Way, visit: PageResult, origin: OriginFact): Verdict {
  const { domain, hasCdn, now } = way;
  const behind = behindOf(ownStatus(visit, domain));
  const refused = behind === 'why.edge_525' || behind === 'why.edge_526' ? behind : undefined;
  if (origin.kind === 'none') return none({ key: 'why.no_server' });
  if (origin.kind === 'private') return unknown({ key: 'why.origin_private', params: { address: origin.address } });
  const { certificate } = origin;
  if ('error' in certificate) {
    const also = [{ key: `health.${certificate.error}` } as const];
    if (refused) return broken({ key: refused, also }, 'server');
    return none({ key: 'why.origin_plain', params: { address: origin.address } });
  }
  const { fault } = certificate;
  const also = fault === null ? [] : [{ key: `health.certificate_${fault}` } as const];
  if (refused) return broken({ key: refused, also }, 'server');
  if (!hasCdn) return none({ key: 'why.same_certificate' });
  // The CDN does not verify it, or trusts an authority of its own.
  return fault === null ? ok(seen(certificate, now)) : ok({ key: 'why.origin_certificate_loose', also });
}

/** Where visitors are sent. `family`: names of the same project and those that were attached to it. */
export function judgeRedirect({ domain }: Way, visit: PageResult, family: ReadonlySet<string>): Verdict {
  const first = firstStatus(visit);
  if (first === null) return unknown({ key: 'why.not_seen', params: { domain } });
  const host = visit.url.hostname;
  if ('error' in visit) {
    const key = visit.error === 'too_many_redirects' ? 'why.redirect_loop' : 'why.redirect_dead';
    return OURS.has(visit.error)
      ? unknown(because('why.not_asked_by_us', { domain: host }, visit.error))
      : broken(because(key, { domain, host }, visit.error), 'redirects');
  }
  if (isOwn(host, domain))
    return visit.hops.length > 1 ? ok({ key: 'why.redirect_own' }) : none({ key: 'why.no_redirect' });
  return family.has(host.replace(/^www\./, ''))
    ? ok({ key: 'why.redirect_family', params: { host } })
    : broken({ key: 'why.redirect_foreign', params: { domain, host } }, 'redirects');
}

/** Whether a result shows that visitors are sent to another site. */
export const leadsAway = (visit: PageResult, domain: string): boolean => !isOwn(visit.url.hostname, domain);
