import { Model, type Sequelize } from 'sequelize';
import type { PlanRow } from '../../src/shared/operations.ts';
import { id, text, time } from '../columns.ts';

/** A plan that was shown. */
export class Plan extends Model<PlanRow, Partial<PlanRow>> {}

export const definePlan = (sequelize: Sequelize): void => {
  Plan.init(
    {
      id: id(),
      hash: text(),
      items: text(),
      created_at: time(),
    },
    { sequelize, tableName: 'plans' },
  );
};
