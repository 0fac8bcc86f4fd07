import { Model, type Sequelize } from 'sequelize';
import type { InstallationRow } from '../../src/shared/access/installation.ts';
import { id, text } from '../columns.ts';

/** One value of the installation as a whole. */
export class Installation extends Model<InstallationRow, Partial<InstallationRow>> {}

export const defineInstallation = (sequelize: Sequelize): void => {
  Installation.init(
    {
      id: id(),
      name: text(),
      value: text(),
    },
    { sequelize, tableName: 'installation' },
  );
};
