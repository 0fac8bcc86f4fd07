import { recordEvents, type NewEvent } from '../../../db/events.ts';
import type { CertificateEnding } from '../why/certificates.ts';

// With a day left visitors are about to be turned away.
const CRITICAL_DAYS = 1;

/** Records certificates that end soon. Only inside the transaction that notes that they were told. */
export const recordCertificates = (endings: readonly CertificateEnding[]): Promise<void> =>
  recordEvents(
    endings.map(({ domain_id, domain_name, days }): NewEvent => ({
      kind: 'certificate_ends',
      name: domain_name,
      domain_id,
      params: { days },
      ...(days <= CRITICAL_DAYS && { level: 'critical' }),
    })),
  );
