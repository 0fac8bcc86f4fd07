import { Model, type Sequelize } from 'sequelize';
import type { TransferHistoryRow } from '../../src/shared/transfers/transfers.ts';
import { id, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** A main domain that was replaced by a reserve. */
export class TransferHistory extends Model<TransferHistoryRow, Partial<TransferHistoryRow>> {}

export const defineTransferHistory = (sequelize: Sequelize): void => {
  TransferHistory.init(
    {
      id: id(),
      project_id: reference('projects', 'SET NULL', true),
      main_domain_id: reference('domains', 'SET NULL', true),
      transfer_domain_id: reference('domains', 'SET NULL', true),
      main_domain_name: text(),
      transfer_domain_name: text(),
      action: text(),
      operation_id: reference('operations', 'SET NULL', true),
      created_at: time(),
      outcome: optionalText(),
      warning: optionalText(),
      redirect_seen_at: optionalTime(),
    },
    { sequelize, tableName: 'transfer_history' },
  );
};
