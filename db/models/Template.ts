import { Model, type Sequelize } from 'sequelize';
import type { TemplateRow } from '../../src/shared/accounts.ts';
import { id, reference, text, time } from '../columns.ts';

/** A ZIP from which sites are made. */
export class Template extends Model<TemplateRow, Partial<TemplateRow>> {}

export const defineTemplate = (sequelize: Sequelize): void => {
  Template.init(
    {
      id: id(),
      user_id: reference('users', 'SET NULL', true),
      name: text(),
      file_path: text(),
      created_at: time(),
    },
    { sequelize, tableName: 'templates' },
  );
};
