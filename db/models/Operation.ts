import { Model, type Sequelize } from 'sequelize';
import type { OperationRow } from '../../src/shared/operations.ts';
import { id, integer, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** Long work: its request, progress and lease. */
export class Operation extends Model<OperationRow, Partial<OperationRow>> {}

export const defineOperation = (sequelize: Sequelize): void => {
  Operation.init(
    {
      id: id(),
      kind: text(),
      subject: text(),
      user_id: reference('users', 'SET NULL', true),
      input: text(),
      state: text(),
      total: integer(),
      done: integer(),
      failed: integer(),
      steps: text(),
      message: text(),
      held: optionalText(),
      lease_owner: optionalText(),
      lease_until: optionalTime(),
      fence: integer(),
      created_at: time(),
      finished_at: optionalTime(),
      idem_key: optionalText(),
      request_hash: optionalText(),
      cancel_requested: integer(),
      changed_at: time(),
      locks: text(),
      waits_until: optionalTime(),
    },
    { sequelize, tableName: 'operations' },
  );
};
