import { Model, type Sequelize } from 'sequelize';
import type { CloudflareGroupRow } from '../../src/shared/accounts/accounts.ts';
import { id, reference, text, time } from '../columns.ts';

/** Accounts at the CDN that are used together. */
export class CloudflareGroup extends Model<CloudflareGroupRow, Partial<CloudflareGroupRow>> {}

export const defineCloudflareGroup = (sequelize: Sequelize): void => {
  CloudflareGroup.init(
    {
      id: id(),
      user_id: reference('users', 'SET NULL', true),
      name: text(),
      created_at: time(),
    },
    { sequelize, tableName: 'cloudflare_groups' },
  );
};
