import { Model, type Sequelize } from 'sequelize';
import type { ZoneLevelRow } from '../../src/shared/dns/dns.ts';
import { id, text, time } from '../columns.ts';

/** The security level of a zone before Under Attack mode. */
export class ZoneLevel extends Model<ZoneLevelRow, Partial<ZoneLevelRow>> {}

export const defineZoneLevel = (sequelize: Sequelize): void => {
  ZoneLevel.init(
    {
      id: id(),
      zone_id: text(),
      security_level: text(),
      changed_at: time(),
    },
    { sequelize, tableName: 'zone_levels' },
  );
};
