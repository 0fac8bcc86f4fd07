import { Model, type Sequelize } from 'sequelize';
import type { TransferStopRow } from '../../src/shared/transfers/transfers.ts';
import { id, integer, optionalTime, text, time } from '../columns.ts';

/** A period without automatic transfers, with its cause. */
export class TransferStop extends Model<TransferStopRow, Partial<TransferStopRow>> {}

export const defineTransferStop = (sequelize: Sequelize): void => {
  TransferStop.init(
    {
      id: id(),
      cause: text(),
      blocked: integer(),
      total: integer(),
      created_at: time(),
      ended_at: optionalTime(),
    },
    { sequelize, tableName: 'transfer_stops' },
  );
};
