import { Model, type Sequelize } from 'sequelize';
import type { ImportRow } from '../../src/shared/portfolio/imports.ts';
import { id, integer, optionalTime, reference, text, time } from '../columns.ts';

/** A CSV import that can be undone: `before` holds, as JSON, the rows it changed as they were. */
export class Import extends Model<ImportRow, Partial<ImportRow>> {}

export const defineImport = (sequelize: Sequelize): void => {
  Import.init(
    {
      id: id(),
      user_id: reference('users', 'CASCADE'),
      source: text(),
      created: integer(),
      updated: integer(),
      before: text(),
      created_at: time(),
      undone_at: optionalTime(),
    },
    { sequelize, tableName: 'imports' },
  );
};
