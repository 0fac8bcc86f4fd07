import { Model, type Sequelize } from 'sequelize';
import type { SiteRow } from '../../src/shared/sites/sites.ts';
import { id, optionalText, optionalTime, reference, text, time } from '../columns.ts';

/** The sources of a domain's site. */
export class Site extends Model<SiteRow, Partial<SiteRow>> {}

export const defineSite = (sequelize: Sequelize): void => {
  Site.init(
    {
      id: id(),
      domain_id: reference('domains', 'CASCADE'),
      template_id: reference('templates', 'RESTRICT'),
      html_name: text(),
      html: text(),
      release: optionalText(),
      deployed_at: optionalTime(),
      updated_at: time(),
    },
    { sequelize, tableName: 'sites' },
  );
};
