import { Model, type Sequelize } from 'sequelize';
import type { DomainRow } from '../../src/shared/portfolio/domains.ts';
import { id, optionalBoolean, optionalInteger, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** A domain of the portfolio. Its name is unique among the rows that are not deleted. */
export class Domain extends Model<DomainRow, Partial<DomainRow>> {}

export const defineDomain = (sequelize: Sequelize): void => {
  Domain.init(
    {
      id: id(),
      user_id: reference('users', 'RESTRICT'),
      project_id: reference('projects', 'SET NULL', true),
      domain_name: text(),
      unicode_name: text(),
      file_path: text(),
      type: text(),
      transfer_type: text(),
      transfer_dns: text(),
      server_id: reference('servers', 'RESTRICT', true),
      cloudflare_account_id: reference('cloudflare_accounts', 'RESTRICT', true),
      registrars_id: reference('registrars', 'RESTRICT', true),
      template_id: reference('templates', 'RESTRICT', true),
      status: text(),
      block_entry: optionalText(),
      last_block_check_at: optionalTime(),
      http_status_code: optionalInteger(),
      http_error: optionalText(),
      last_http_check_at: optionalTime(),
      google_indexation: optionalBoolean(),
      yandex_indexation: optionalBoolean(),
      last_check_indexation: optionalTime(),
      expired_at: optionalTime(),
      import_id: reference('imports', 'SET NULL', true),
      created_at: time(),
      updated_at: time(),
      deleted_at: optionalTime(),
      name_claim: optionalInteger(),
      folder_claim: optionalInteger(),
    },
    { sequelize, tableName: 'domains' },
  );
};
