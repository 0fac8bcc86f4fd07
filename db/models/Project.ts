import { Model, type Sequelize } from 'sequelize';
import type { ProjectRow } from '../../src/shared/portfolio/projects.ts';
import { id, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** A group of domains with one owner. Deleted rows stay 30 days for an undo. */
export class Project extends Model<ProjectRow, Partial<ProjectRow>> {}

export const defineProject = (sequelize: Sequelize): void => {
  Project.init(
    {
      id: id(),
      user_id: reference('users', 'RESTRICT'),
      name: text(),
      created_at: time(),
      deleted_at: optionalTime(),
      deleted_domains: optionalText(),
      last_reserve: text(),
    },
    { sequelize, tableName: 'projects' },
  );
};
