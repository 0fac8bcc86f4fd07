import { Model, type Sequelize } from 'sequelize';
import type { CheckRow } from '../../src/shared/portfolio/domains.ts';
import { id, integer, optionalInteger, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** The history of checks: a row for equal checks in a row. */
export class Check extends Model<CheckRow, Partial<CheckRow>> {}

export const defineCheck = (sequelize: Sequelize): void => {
  Check.init(
    {
      id: id(),
      domain_id: reference('domains', 'CASCADE'),
      kind: text(),
      verdict: text(),
      http_status_code: optionalInteger(),
      ms: optionalInteger(),
      detail: optionalText(),
      list_version: optionalText(),
      checked_at: time(),
      list_fetched_at: optionalTime(),
      since: optionalTime(),
      repeats: integer(),
    },
    { sequelize, tableName: 'checks' },
  );
};
