/**
 * Why a host gave no code. The `dns_*` errors, `private_address` and `local_failure` mean that the host was not asked: they
 * say nothing about the site.
 */
export const HEALTH_ERRORS = [
  'bad_name', // not a host name
  'dns_not_found', // the name does not exist
  'dns_no_address', // the name exists and has neither A nor AAAA
  'dns_failed', // SERVFAIL, REFUSED, or a broken answer of the name server
  'dns_timeout',
  'private_address', // the name or a redirect leads to an address that is not public
  'port_not_allowed', // a redirect leads to a port other than 80 and 443
  'unsupported_scheme', // a redirect leads to something else than http and https
  'connect_refused',
  'connect_timeout',
  'unreachable', // no route to the address
  'timeout', // connected, and no answer in time
  'reset', // connected, and closed without an answer
  'tls', // TLS failed, and plain HTTP failed, too, or was not asked for
  'bad_answer', // the answer was not HTTP
  'too_many_redirects',
  'redirect_loop',
  'local_failure', // this machine is out of sockets or ports
] as const;
export type HealthError = (typeof HEALTH_ERRORS)[number];

/** Faults of a certificate. Such a site counts as up: visitors see a warning. */
export const CERTIFICATE_FAULTS = ['expired', 'not_yet_valid', 'self_signed', 'wrong_name', 'untrusted'] as const;
export type CertificateFault = (typeof CERTIFICATE_FAULTS)[number];

/** `auto` asks https, and http if TLS fails. */
export const HEALTH_SCHEMES = ['auto', 'https', 'http'] as const;
export type HealthScheme = (typeof HEALTH_SCHEMES)[number];

/** One redirect answer: `url` was asked, `location` is the target as an absolute address. */
export interface Redirect {
  url: string;
  status: number;
  location: string;
}

/**
 * The verdict on one host. Exactly one of `http_status_code` and `error` is null. `ms` counts from the first
 * connection to the last answer, without name look-ups. `scheme` is null if nothing answered; `final_url` is the address
 * asked last.
 */
export interface HealthResult {
  domain: string;
  http_status_code: number | null;
  error: HealthError | null;
  tls_error: CertificateFault | null;
  ms: number;
  redirects: Redirect[];
  scheme: 'https' | 'http' | null;
  final_url: string | null;
}
