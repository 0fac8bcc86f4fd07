import { Model, type Sequelize } from 'sequelize';
import type { OperationResultRow } from '../../src/shared/operations.ts';
import { id, reference, text, time } from '../columns.ts';

/** A batch of an operation's results. */
export class OperationResult extends Model<OperationResultRow, Partial<OperationResultRow>> {}

export const defineOperationResult = (sequelize: Sequelize): void => {
  OperationResult.init(
    {
      id: id(),
      operation_id: reference('operations', 'CASCADE'),
      results: text(),
      created_at: time(),
    },
    { sequelize, tableName: 'operation_results' },
  );
};
