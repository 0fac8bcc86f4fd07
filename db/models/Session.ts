import { Model, type Sequelize } from 'sequelize';
import type { SessionRow } from '../../src/shared/access/sessions.ts';
import { id, reference, text, time } from '../columns.ts';

/** A signed-in browser or script. Deleting the row signs it out at its next request. */
export class Session extends Model<SessionRow, Partial<SessionRow>> {}

export const defineSession = (sequelize: Sequelize): void => {
  Session.init(
    {
      id: id(),
      user_id: reference('users', 'CASCADE'),
      sid_hash: text(),
      address: text(),
      created_at: time(),
      last_seen_at: time(),
      expires_at: time(),
    },
    { sequelize, tableName: 'sessions' },
  );
};
