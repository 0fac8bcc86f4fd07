import { Model, type Sequelize } from 'sequelize';
import type { CloudflareAccountRow } from '../../src/shared/accounts/accounts.ts';
import { id, optionalInteger, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** An account at the CDN and DNS provider. */
export class CloudflareAccount extends Model<CloudflareAccountRow, Partial<CloudflareAccountRow>> {}

export const defineCloudflareAccount = (sequelize: Sequelize): void => {
  CloudflareAccount.init(
    {
      id: id(),
      user_id: reference('users', 'SET NULL', true),
      name: text(),
      email: text(),
      api_key: text(),
      ns_1: optionalText(),
      ns_2: optionalText(),
      created_at: time(),
      cf_account_id: optionalText(),
      zones: optionalInteger(),
      checked_at: optionalTime(),
      check_error: optionalText(),
      cf_accounts: text(),
    },
    { sequelize, tableName: 'cloudflare_accounts' },
  );
};
