import { Model, type Sequelize } from 'sequelize';
import type { AttachmentRow } from '../../src/shared/dns/dns.ts';
import { id, reference, text, time } from '../columns.ts';

/** A domain attached to a main domain, to which a rule forwards it. */
export class Attachment extends Model<AttachmentRow, Partial<AttachmentRow>> {}

export const defineAttachment = (sequelize: Sequelize): void => {
  Attachment.init(
    {
      id: id(),
      domain_name: text(),
      forward_to: text(),
      cloudflare_account_id: reference('cloudflare_accounts', 'SET NULL', true),
      created_at: time(),
    },
    { sequelize, tableName: 'attachments' },
  );
};
