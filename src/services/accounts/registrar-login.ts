import { fieldsFor } from '../../shared/accounts/kind.ts';
import { registrarKind } from '../../shared/accounts/registrars.ts';
import type { RegistrarRow } from '../../shared/accounts/tables.ts';
import { readSecret } from './team.ts';

/** Returns the login of a registrar's row with its settings, the secret in clear. Throws AppError `not_configured` where it can't be read. */
export function loginOf(row: RegistrarRow): Record<string, string> {
  const texts = fieldsFor(registrarKind, { ...row }).map(([field]): [string, string] => [
    field,
    String(row[field as keyof RegistrarRow] ?? ''),
  ]);
  return { ...Object.fromEntries(texts), password: readSecret('registrars', row.id, row.password) };
}
