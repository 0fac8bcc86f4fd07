import { Model, type Sequelize } from 'sequelize';
import type { SetupLinkRow } from '../../src/shared/access/sessions.ts';
import { id, text, time } from '../columns.ts';

/** The one-time link with which the first administrator is created. */
export class SetupLink extends Model<SetupLinkRow, Partial<SetupLinkRow>> {}

export const defineSetupLink = (sequelize: Sequelize): void => {
  SetupLink.init(
    {
      id: id(),
      token_hash: text(),
      expires_at: time(),
    },
    { sequelize, tableName: 'setup_links' },
  );
};
