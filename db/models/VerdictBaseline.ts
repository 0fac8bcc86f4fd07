import { Model, type Sequelize } from 'sequelize';
import type { VerdictBaselineRow } from '../../src/shared/checks/list-doubt.ts';
import { id, reference, text, time } from '../columns.ts';

/** The status of a domain before the lists of the last seven days changed it. */
export class VerdictBaseline extends Model<VerdictBaselineRow, Partial<VerdictBaselineRow>> {}

export const defineVerdictBaseline = (sequelize: Sequelize): void => {
  VerdictBaseline.init(
    { id: id(), domain_id: reference('domains', 'CASCADE'), status: text(), since: time() },
    { sequelize, tableName: 'verdict_baselines' },
  );
};
