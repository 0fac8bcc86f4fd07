import { Model, type Sequelize } from 'sequelize';
import type { TemplateArchiveRow } from '../../src/shared/accounts/accounts.ts';
import { bytes, id, reference } from '../columns.ts';

/** The ZIP of a template. */
export class TemplateArchive extends Model<TemplateArchiveRow, Partial<TemplateArchiveRow>> {}

export const defineTemplateArchive = (sequelize: Sequelize): void => {
  TemplateArchive.init(
    {
      id: id(),
      template_id: reference('templates', 'CASCADE'),
      archive: bytes(),
    },
    { sequelize, tableName: 'template_archives' },
  );
};
