import type { CertificateLook } from '../../providers/health/certificate.ts';
import type { PageResult } from '../../providers/health.ts';
import type { HealthError } from '../../shared/checks/health.ts';
import type { RegistryState } from '../../shared/checks/registry-state.ts';
import type { DnsRecord } from '../../shared/dns/dns.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Act, StepState } from '../../shared/why/diagnosis.ts';

/** The end of one question. */
export interface Verdict {
  state: Exclude<StepState, 'not_asked'>;
  message: Message | null;
  act?: Act;
}

/** A fact that could not be had. `isLogin`: the service refuses our key. */
export interface Untold {
  untold: Message;
  isLogin?: boolean;
}

/** The registry's answer; null: no registry tells about the name. */
export type RegistryFact = {
  state: RegistryState;
  statuses: string[];
  name_servers: string[];
  expires_at: string | null;
} | null;

/** The name at our registrar; null: it has none that could tell. */
export type AccountFact = { registrar: string; there: { name_servers: string[] } | null } | null;

/** The zone in the domain's CDN account: `no_account` the domain has none, `missing` the account has no such zone. */
export type ZoneFact =
  | { kind: 'no_account' }
  | { kind: 'missing'; account: string }
  | { kind: 'zone'; name: string; status: string; paused: boolean; name_servers: string[]; records: DnsRecord[] };

/** The addresses that a name leads to by our name server. */
export type PlaceFact = { addresses: string[] } | { error: HealthError };

/** The server of a domain, asked directly: `none` it has no server, or that one's address is not known. */
export type OriginFact =
  | { kind: 'none' }
  | { kind: 'private'; address: string }
  | { kind: 'asked'; address: string; page: PageResult; certificate: CertificateLook };

/** Whether a fact could be had. */
export const isTold = <T>(fact: T | Untold): fact is T =>
  !(typeof fact === 'object' && fact !== null && 'untold' in fact);

export const ok = (message: Message | null): Verdict => ({ state: 'ok', message });
export const none = (message: Message | null): Verdict => ({ state: 'none', message });
export const broken = (message: Message, act?: Act): Verdict => ({ state: 'broken', message, ...(act && { act }) });
export const unknown = (message: Message, act?: Act): Verdict => ({ state: 'unknown', message, ...(act && { act }) });

/** Returns the verdict about a fact that could not be had. */
export const notTold = ({ untold, isLogin = false }: Untold): Verdict =>
  unknown(untold, isLogin ? 'account' : undefined);
