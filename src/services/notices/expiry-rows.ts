import { select } from '../../../db/index.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';

/** Returns the domains that end between two times, and of which these numbers were not told in a notice of a kind. */
export const listUntoldEnds = (span: {
  after: string;
  until: string;
  kind: string;
  params: string;
}): Promise<Pick<DomainRow, 'id' | 'domain_name' | 'project_id'>[]> =>
  select(
    `SELECT d.id, d.domain_name, d.project_id FROM domains d
     WHERE d.deleted_at IS NULL AND d.expired_at > $after AND d.expired_at <= $until AND NOT EXISTS (
       SELECT 1 FROM notice_subjects s JOIN notices n ON n.id = s.notice_id
       WHERE s.subject = 'domain:' || CAST(d.id AS TEXT) AND n.kind = $kind AND s.params = $params)
       AND NOT EXISTS (SELECT 1 FROM events e WHERE e.grouped_at IS NULL AND e.domain_id = d.id AND e.kind = $kind AND e.params = $params)
     ORDER BY d.id`,
    span,
  );
