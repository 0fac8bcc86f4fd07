import { Model, type Sequelize } from 'sequelize';
import type { CheckSampleRow } from '../../src/shared/checks/check-history.ts';
import { integer, reference, text } from '../columns.ts';

/** The answers of a day that is not over. */
export class CheckSample extends Model<CheckSampleRow, Partial<CheckSampleRow>> {}

export const defineCheckSample = (sequelize: Sequelize): void => {
  CheckSample.init(
    {
      domain_id: { ...reference('domains', 'CASCADE'), primaryKey: true },
      day: { ...text(), primaryKey: true },
      checks: integer(),
      up: integer(),
      ms: text(),
    },
    { sequelize, tableName: 'check_samples' },
  );
};
