import { Model, type Sequelize } from 'sequelize';
import type { SignInNetworkRow } from '../../src/shared/access/sessions.ts';
import { id, reference, text, time } from '../columns.ts';

/** A network that a user has signed in from. */
export class SignInNetwork extends Model<SignInNetworkRow, Partial<SignInNetworkRow>> {}

export const defineSignInNetwork = (sequelize: Sequelize): void => {
  SignInNetwork.init(
    {
      id: id(),
      user_id: reference('users', 'CASCADE'),
      network: text(),
      last_at: time(),
    },
    { sequelize, tableName: 'sign_in_networks' },
  );
};
