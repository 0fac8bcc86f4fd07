import { Model, type Sequelize } from 'sequelize';
import type { UserRow } from '../../src/shared/access/users.ts';
import { boolean, id, optionalText, text, time } from '../columns.ts';

/** A person who signs in. `password` is a scrypt hash; `active` 0 refuses sign-in and keeps the row. */
export class User extends Model<UserRow, Partial<UserRow>> {}

export const defineUser = (sequelize: Sequelize): void => {
  User.init(
    {
      id: id(),
      login: text(),
      password: text(),
      telegram: optionalText(),
      role: text(),
      active: boolean(),
      created_at: time(),
    },
    { sequelize, tableName: 'users' },
  );
};
