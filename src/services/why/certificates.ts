import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import { transaction } from '../../../db/index.ts';
import { byAddress } from '../../providers/health/by-address.ts';
import { readCertificate, type CertificateLook } from '../../providers/health/certificate.ts';
import { addressIn } from '../../shared/dns/dns-changes.ts';
import { DAY_MS } from '../../shared/time.ts';
import { certificateView, crossingOf, type CertificateView } from '../../shared/why/certificates.ts';
import type { CertificateRow, CertificateSide } from '../../shared/why/tables.ts';
import type { Actor } from '../access/scope.ts';
import { healthOptions } from '../checks/check-names.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import {
  countWatched,
  deleteCertificates,
  listCertificates,
  listDueCertificates,
  upsertCertificates,
  type CertificateTarget,
} from './certificate-rows.ts';

const AT_ONCE = 20;
const TIMEOUT_MS = 8_000;
// Less than a day and a week, so that a look at about the same time is due.
const DUE_MS = { main: 22 * 3_600_000, reserve: 7 * DAY_MS - 2 * 3_600_000 };
// A run takes so many domains at least, and so large a part of all: within a day the mains have had their turn, within a week the others,
// however many of them are due each day.
const LEAST = 50;
const RUNS = { main: 20, reserve: 120 };
// Looks are stored by so many: a crash loses no more.
const STORE_AT = 200;

/** A certificate that has come to a threshold of days before its end. */
export interface CertificateEnding {
  domain_id: number;
  domain_name: string;
  side: CertificateSide;
  issuer: string | null;
  not_after: string;
  /** 30, 14, 7 or 1. */
  days: number;
}

type Listener = (endings: readonly CertificateEnding[]) => Promise<void>;
const listeners = new Set<Listener>();

/**
 * Calls `listener` with the certificates that have crossed a threshold, inside the transaction that notes that it was told: what the
 * listener writes is stored with that, or neither is. Returns what removes it.
 */
export function onCertificatesEnding(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

interface Look {
  target: CertificateTarget;
  side: CertificateSide;
  look: CertificateLook;
}

/** Looks at both sides of a domain. The origin is left out where no site was deployed, or its address is not known or may not be asked. */
async function lookAt(target: CertificateTarget, signal: AbortSignal): Promise<Look[]> {
  const options = { ...healthOptions(), timeoutMs: TIMEOUT_MS, signal };
  const domain = target.domain_name;
  const address =
    target.is_live === 0 || target.ssh_host === null ? null : (addressIn(target.ssh_host)?.address ?? null);
  const connectTo = byAddress(options, { domain, address });
  const [edge, origin] = await Promise.all([
    readCertificate(domain, options),
    connectTo && readCertificate(domain, { ...options, connectTo }),
  ]);
  return [{ target, side: 'edge', look: edge }, ...(origin ? [{ target, side: 'origin', look: origin } as const] : [])];
}

/** Whether a failure is ours, and says nothing about the certificate. */
const isOurs = ({ look }: Look): boolean => 'error' in look && look.error === 'local_failure';

/** Returns the row of a look, and the threshold that it crosses, where the domain is live. A look that saw nothing keeps what was seen before. */
function rowOf(
  { target, side, look }: Look,
  before: CertificateRow | undefined,
  now: number,
): { row: CertificateRow; crossed: number | null } {
  const base = { domain_id: target.id, domain_name: target.domain_name, side, looked_at: new Date(now).toISOString() };
  if ('error' in look) {
    const { issuer = null, names_ok = null, fault = null, not_after = null, told = null } = before ?? {};
    return { row: { ...base, issuer, names_ok, fault, not_after, told, error: look.error }, crossed: null };
  }
  const { issuer, fault, not_after } = look;
  const { told, crossed } =
    not_after === null || target.is_live === 0 ? { told: null, crossed: null } : crossingOf(before, not_after, now);
  return {
    row: { ...base, issuer, fault, not_after, names_ok: look.names_ok ? 1 : 0, told, error: null },
    crossed,
  };
}

/** Stores looks, and tells of the thresholds that they cross, in one transaction. */
export async function storeCertificates(looks: readonly Look[], now = Date.now()): Promise<void> {
  const told = looks.filter((look) => !isOurs(look));
  if (told.length === 0) return;
  await transaction(async () => {
    const ids = [...new Set(told.map(({ target }) => target.id))];
    const before = new Map((await listCertificates(ids)).map((row) => [`${row.domain_id} ${row.side}`, row]));
    const rows = told.map((look) => rowOf(look, before.get(`${look.target.id} ${look.side}`), now));
    await upsertCertificates(rows.map(({ row }) => row));
    const hasOrigin = new Set(looks.flatMap(({ target, side }) => (side === 'origin' ? [target.id] : [])));
    await deleteCertificates(
      ids.filter((id) => !hasOrigin.has(id)),
      'origin',
    );
    const endings = rows.flatMap(({ row: { domain_id, domain_name, side, issuer, not_after }, crossed }) =>
      crossed === null || not_after === null
        ? []
        : [{ domain_id, domain_name, side, issuer, not_after, days: crossed }],
    );
    if (endings.length > 0) for (const listener of listeners) await listener(endings);
  });
}

/**
 * Looks at the certificates that are due: of mains once a day, of reserves once a week, or, where visitors could not use them, once a day
 * as far as a run has room, those first that were not looked at for the longest time. Stops early once `signal` has fired; what was seen by then is stored.
 */
export async function watchCertificates(signal: AbortSignal): Promise<void> {
  const now = Date.now();
  const before = (ms: number): string => new Date(now - ms).toISOString();
  const { mains, reserves } = await countWatched();
  const due = await listDueCertificates({
    main: before(DUE_MS.main),
    reserve: before(DUE_MS.reserve),
    now: new Date(now).toISOString(),
    most: Math.max(LEAST, Math.ceil(mains / RUNS.main + reserves / RUNS.reserve)),
  });
  // Each look listens; more than ten of them are no leak.
  setMaxListeners(0, signal);
  const queue = new PQueue({ concurrency: AT_ONCE });
  let waiting: Look[] = [];
  const store = async (): Promise<void> => {
    const looks = waiting;
    waiting = [];
    await storeCertificates(looks);
  };
  const all = due.map((target) =>
    queue.add(async () => {
      if (signal.aborted) return;
      const looks = await lookAt(target, signal);
      // A look that was broken off says nothing.
      if (!signal.aborted) waiting.push(...looks);
      if (waiting.length >= STORE_AT) await store();
    }),
  );
  await Promise.all(all);
  await store();
}

/** Returns the certificates of the caller's domain, as they were last seen. Throws AppError `not_found`. */
export async function domainCertificates(actor: Actor, id: number, now = Date.now()): Promise<CertificateView[]> {
  await findDomain(actor, id);
  return (await listCertificates([id])).map((row) => certificateView(row, now));
}
