import { select } from '../../db/index.ts';
import { notFound } from '../shared/errors.ts';
import { translate, type Language, type Said } from '../shared/i18n/index.ts';
import type { Held, OperationRow, OperationView, StoredStep } from '../shared/operations.ts';
import { isAdmin, type Actor } from './scope.ts';

const KEPT = 200;

const inWords = (language: Language, said: Said): string => translate(language, said.key, said.params);

/** An operation as it goes out, in a language. */
export function viewOf(row: OperationRow, language: Language): OperationView {
  const steps = (JSON.parse(row.steps) as StoredStep[]).map(({ name, state, error }) =>
    error ? { name, state, error: inWords(language, error) } : { name, state },
  );
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    total: row.total,
    done: row.done,
    failed: row.failed,
    steps,
    message: inWords(language, JSON.parse(row.message) as Said),
    held: row.held ? (JSON.parse(row.held) as Held) : null,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

/** The newest operations: an admin's are everybody's, a user's their own. */
export async function listOperations(actor: Actor, language: Language): Promise<OperationView[]> {
  const rows = await select<OperationRow>(
    `SELECT * FROM operations WHERE $all = 1 OR user_id = $user ORDER BY id DESC LIMIT ${KEPT}`,
    { all: isAdmin(actor) ? 1 : 0, user: actor.id },
  );
  return rows.map((row) => viewOf(row, language));
}

/** One operation's row, the caller's own or any for an admin. Throws `not_found`. */
export async function findOperation(actor: Actor, id: number): Promise<OperationRow> {
  const [row] = await select<OperationRow>(
    'SELECT * FROM operations WHERE id = $id AND ($all = 1 OR user_id = $user)',
    {
      id,
      all: isAdmin(actor) ? 1 : 0,
      user: actor.id,
    },
  );
  if (!row) throw notFound();
  return row;
}
