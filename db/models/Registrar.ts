import { Model, type Sequelize } from 'sequelize';
import type { RegistrarRow } from '../../src/shared/accounts/accounts.ts';
import { id, reference, text, time } from '../columns.ts';

/** An account at a registrar. */
export class Registrar extends Model<RegistrarRow, Partial<RegistrarRow>> {}

export const defineRegistrar = (sequelize: Sequelize): void => {
  Registrar.init(
    {
      id: id(),
      user_id: reference('users', 'SET NULL', true),
      type: text(),
      name: text(),
      login: text(),
      password: text(),
      created_at: time(),
    },
    { sequelize, tableName: 'registrars' },
  );
};
