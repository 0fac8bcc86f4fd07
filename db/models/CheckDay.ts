import { Model, type Sequelize } from 'sequelize';
import type { CheckDayRow } from '../../src/shared/checks/check-history.ts';
import { integer, optionalInteger, reference, text } from '../columns.ts';

/** Figures of the HTTP checks of a domain in a day. */
export class CheckDay extends Model<CheckDayRow, Partial<CheckDayRow>> {}

export const defineCheckDay = (sequelize: Sequelize): void => {
  CheckDay.init(
    {
      domain_id: { ...reference('domains', 'CASCADE'), primaryKey: true },
      day: { ...text(), primaryKey: true },
      checks: integer(),
      up: integer(),
      median_ms: optionalInteger(),
      worst_ms: optionalInteger(),
    },
    { sequelize, tableName: 'check_days' },
  );
};
