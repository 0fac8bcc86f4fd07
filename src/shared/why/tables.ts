import { flag, integer, json, machine, optional, reference, table, text, time, type Row } from '../table.ts';
import type { CertificateFault, HealthError } from '../checks/health.ts';
import type { Layer } from './diagnosis.ts';

/**
 * The diagnoses table: the last answer to "why is it red" of a domain, which is replaced by the next. `domain_name` is the name
 * that was asked about; a diagnosis of a former name is not shown. `steps` is a list of Step with Messages.
 */
export const diagnoses = table(
  'diagnoses',
  machine('what a person’s question has found'),
  {
    domain_id: reference('domains', 'CASCADE'),
    domain_name: text(),
    asked_at: time(),
    broken: optional(text<Layer>()),
    steps: json(),
  },
  { key: ['domain_id'] },
);
export type DiagnosisRow = Row<typeof diagnoses>;

/** Where a certificate was seen: as visitors get it, or at the address of the domain's server. */
export type CertificateSide = 'edge' | 'origin';

/**
 * The certificates table: the certificate that was last seen of a domain at each side. `error`: why the last look saw none;
 * what an earlier look saw stays. `told`: the lowest threshold of days that was told of this certificate; null: none.
 */
export const certificates = table(
  'certificates',
  machine('what looks at certificates have found'),
  {
    domain_id: reference('domains', 'CASCADE'),
    side: text<CertificateSide>(),
    domain_name: text(),
    issuer: optional(text()),
    names_ok: optional(flag()),
    fault: optional(text<CertificateFault>()),
    not_after: optional(time()),
    looked_at: time(),
    error: optional(text<HealthError>()),
    told: optional(integer()),
  },
  { key: ['domain_id', 'side'] },
);
export type CertificateRow = Row<typeof certificates>;
