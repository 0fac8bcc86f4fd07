import { Model, type Sequelize } from 'sequelize';
import type { CheckBatchRow } from '../../src/shared/checks/check-history.ts';
import { id, text } from '../columns.ts';

/** The domains of one of the last checks. */
export class CheckBatch extends Model<CheckBatchRow, Partial<CheckBatchRow>> {}

export const defineCheckBatch = (sequelize: Sequelize): void => {
  CheckBatch.init(
    {
      id: id(),
      domain_ids: text(),
    },
    { sequelize, tableName: 'check_batches' },
  );
};
