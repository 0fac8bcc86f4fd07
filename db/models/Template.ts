import { Model, type Sequelize } from 'sequelize';
import type { TemplateRow } from '../../src/shared/accounts/accounts.ts';
import { id, integer, reference, text, time } from '../columns.ts';

/** A ZIP from which sites are made. */
export class Template extends Model<TemplateRow, Partial<TemplateRow>> {}

export const defineTemplate = (sequelize: Sequelize): void => {
  Template.init(
    {
      id: id(),
      user_id: reference('users', 'SET NULL', true),
      name: text(),
      created_at: time(),
      file_name: text(),
      sha256: text(),
      size: integer(),
      files: integer(),
      placeholders: text(),
      updated_at: time(),
    },
    { sequelize, tableName: 'templates' },
  );
};
