import { Model, type Sequelize } from 'sequelize';
import type { OperationItemRow } from '../../src/shared/operations.ts';
import { id, integer, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** One item of long work, with the state before and after its acts. */
export class OperationItem extends Model<OperationItemRow, Partial<OperationItemRow>> {}

export const defineOperationItem = (sequelize: Sequelize): void => {
  OperationItem.init(
    {
      id: id(),
      operation_id: reference('operations', 'CASCADE'),
      item: text(),
      lane: text(),
      data: text(),
      state: text(),
      acts: text(),
      attempt: integer(),
      not_before: optionalTime(),
      error: optionalText(),
      changed_at: time(),
      waiting: optionalText(),
    },
    { sequelize, tableName: 'operation_items' },
  );
};
