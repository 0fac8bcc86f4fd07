import { Model, type Sequelize } from 'sequelize';
import type { ServerRow } from '../../src/shared/accounts/accounts.ts';
import { id, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** A web server that sites are deployed to. */
export class Server extends Model<ServerRow, Partial<ServerRow>> {}

export const defineServer = (sequelize: Sequelize): void => {
  Server.init(
    {
      id: id(),
      user_id: reference('users', 'SET NULL', true),
      name: text(),
      ssh_host: text(),
      ssh_user: text(),
      ssh_password: text(),
      created_at: time(),
      host_key: optionalText(),
      host_key_seen: optionalText(),
      checked_at: optionalTime(),
      check_error: optionalText(),
    },
    { sequelize, tableName: 'servers' },
  );
};
