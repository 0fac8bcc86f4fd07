import type { DomainDetail, DomainView } from '../../../shared/portfolio/domains.ts';
import { columnsOf } from '../../output.ts';

/** The fields of a domain in lists. */
export const COLUMNS = columnsOf<DomainView>({
  domain_name: 'domain',
  project_name: 'project',
  type: true,
  status: true,
  http_status_code: 'code',
  http_error: 'error',
  expired_at: { title: 'expires', show: (value) => (value as string | null)?.slice(0, 10) ?? '' },
  id: false,
  unicode_name: false,
  file_path: false,
  transfer_type: false,
  transfer_dns: false,
  server_id: false,
  server_name: false,
  server_ip: false,
  cloudflare_account_id: false,
  cloudflare_account_name: false,
  registrars_id: false,
  registrar_type: false,
  project_id: false,
  user_login: false,
  template_id: false,
  block_entry: false,
  last_block_check_at: false,
  last_http_check_at: false,
  google_indexation: false,
  yandex_indexation: false,
  last_check_indexation: false,
  created_at: false,
  updated_at: false,
});
/** The fields of a single domain. */
export const DETAIL_COLUMNS = [
  ...COLUMNS,
  ...columnsOf<Omit<DomainDetail, keyof DomainView>>({ html_file: false, release: false, deployed_at: false }),
];
