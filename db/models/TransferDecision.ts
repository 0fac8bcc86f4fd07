import { Model, type Sequelize } from 'sequelize';
import type { TransferDecisionRow } from '../../src/shared/transfers/transfers.ts';
import { id, reference, text, time } from '../columns.ts';

/** A decision of automatic transfer about a blocked domain, with its reason. */
export class TransferDecision extends Model<TransferDecisionRow, Partial<TransferDecisionRow>> {}

export const defineTransferDecision = (sequelize: Sequelize): void => {
  TransferDecision.init(
    {
      id: id(),
      domain_id: reference('domains', 'CASCADE'),
      target_id: reference('domains', 'SET NULL', true),
      decision: text(),
      reason: text(),
      operation_id: reference('operations', 'SET NULL', true),
      created_at: time(),
    },
    { sequelize, tableName: 'transfer_decisions' },
  );
};
