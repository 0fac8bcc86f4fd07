import { listAudit, verifyAudit } from '../../services/audit/audit.ts';
import type { AuditEntry, DoorName, KnownRow } from '../../shared/audit/audit.ts';
import type { Context } from '../context.ts';
import { columnsOf, minorOf, type Result } from '../output.ts';

const LONGEST = 80;

/** The beginning of a change, which a table has room for. */
function shortened(value: unknown): string {
  const text = value === null ? '' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const COLUMNS = columnsOf<AuditEntry>({
  id: true,
  at: true,
  login: true,
  door: true,
  call: false,
  action: true,
  object: true,
  object_id: true,
  object_name: true,
  outcome: true,
  after: { title: 'after', show: shortened },
  before: false,
  object_ids: false,
  user_id: false,
  address: false,
  operation_id: false,
  hash: false,
});

interface ListFlags {
  user?: string;
  door?: DoorName;
  object?: string;
  id?: number;
  since?: string;
  limit: number;
  offset: number;
}

/** `audit list`: the newest rows first. */
export async function list(context: Context, flags: ListFlags): Promise<Result> {
  const { actor } = await context.open();
  const { user, door, object, id: object_id, since, limit, offset } = flags;
  const { data, total } = await listAudit(actor, { user, door, object, object_id, since }, { limit, offset });
  return { items: data, columns: minorOf(COLUMNS, 'id', 'object', 'object_id', 'door'), summary: { total } };
}

/** `audit verify`: exit 1 for a chain that is broken. */
export async function verify(context: Context, { known }: { known?: KnownRow }): Promise<Result> {
  const { actor } = await context.open();
  const { fault, ...data } = await verifyAudit(actor, known);
  const { rows, last_id, last_hash } = data;
  if (!fault) {
    const text =
      rows === 0 ? context.say('audit.empty') : context.say('audit.intact', { rows, last: `${last_id}:${last_hash}` });
    return { data, text };
  }
  const message = context.say(`audit.broken_${fault.kind}`, { id: fault.id });
  return { data: { ...data, fault }, exit: 1, failure: { exit: 1, code: 'audit_broken', message } };
}
