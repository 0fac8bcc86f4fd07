import { Model, type Sequelize } from 'sequelize';
import type { CloudflareGroupAccountRow } from '../../src/shared/accounts/accounts.ts';
import { id, reference } from '../columns.ts';

/** Membership of an account in a group. */
export class CloudflareGroupAccount extends Model<CloudflareGroupAccountRow, Partial<CloudflareGroupAccountRow>> {}

export const defineCloudflareGroupAccount = (sequelize: Sequelize): void => {
  CloudflareGroupAccount.init(
    {
      id: id(),
      cloudflare_group_id: reference('cloudflare_groups', 'CASCADE'),
      cloudflare_account_id: reference('cloudflare_accounts', 'RESTRICT'),
    },
    { sequelize, tableName: 'cloudflare_group_accounts' },
  );
};
