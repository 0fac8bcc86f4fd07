import { transaction } from '../../../db/index.ts';
import { findRow, insertRow, updateRow } from '../../../db/rows.ts';
import {
  fieldsOf,
  secretFieldOf,
  type AccountChange,
  type AccountInput,
  type AccountLogin,
  type AccountView,
} from '../../shared/accounts/kind.ts';
import type { Kind } from '../../shared/accounts/kinds.ts';
import { notFound } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Table } from '../../shared/table.ts';
import type { Actor } from '../access/scope.ts';
import {
  approvedEdit,
  changedSecret,
  checkCreatable,
  checkSettings,
  given,
  storedFields,
  textsOf,
  type EditOptions,
  type Values,
} from './account-settings.ts';
import { recordTest } from './events.ts';
import { listAccountRows, setAccountTest, type AccountRow, type ListedAccountRow } from './rows.ts';
import {
  canEdit,
  findOwnTeamRow,
  findTeamRow,
  readSecret,
  requireSecret,
  shownSecret,
  storeSecret,
  type SecretsShown,
} from './team.ts';
import type { Login, Tested } from './tester.ts';
import { testerOf, type DetailsOf } from './testers.ts';

function viewOf<K extends Kind>(
  actor: Actor,
  kind: K,
  { user_id, ...row }: ListedAccountRow,
  shown: SecretsShown,
): AccountView<K, Message> {
  const owned = { ...row, user_id };
  const secret = secretFieldOf(kind);
  const isJson = (name: string): boolean => name === 'groups' || (kind.table as Table).columns[name]?.kind === 'json';
  const values = Object.entries(row).map(([name, value]) => [
    name,
    value !== null && isJson(name) ? JSON.parse(String(value)) : value,
  ]);
  return {
    ...Object.fromEntries(values),
    [secret]: shownSecret(actor, shown, kind.table.name, owned, String(row[secret])),
    can_edit: canEdit(actor, owned),
  } as AccountView<K, Message>;
}

/** Returns every account of a kind, by name; secrets as the caller may see them. */
export async function listAccounts<K extends Kind>(
  actor: Actor,
  kind: K,
  shown: SecretsShown,
): Promise<AccountView<K, Message>[]> {
  const rows = await listAccountRows(kind);
  return rows.map((row) => viewOf(actor, kind, row, shown));
}

/** Returns an account as it is listed. Throws AppError `not_found`, also where it was deleted while its login was tested. */
export async function findAccount<K extends Kind>(
  actor: Actor,
  kind: K,
  id: number,
  shown: SecretsShown,
): Promise<AccountView<K, Message>> {
  const [row] = await listAccountRows(kind, id);
  if (!row) throw notFound();
  return viewOf(actor, kind, row, shown);
}

/** Columns that have no value before the first test. */
const emptyJson = ({ columns }: Table): Record<string, string> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, { kind, nullable }]) =>
      kind === 'json' && !nullable ? [[name, '[]']] : [],
    ),
  );

/**
 * Adds an account that belongs to the actor, and tests it if its kind is tested when it is saved: a login that does not work is
 * stored all the same, and its error with it.
 */
export async function createAccount<K extends Kind>(
  actor: Actor,
  kind: K,
  input: AccountInput<K>,
  shown: SecretsShown,
): Promise<AccountView<K, Message>> {
  const secret = await checkCreatable(kind, input);
  const table: Table = kind.table;
  const blank = Object.fromEntries(fieldsOf(kind).map(([name]) => [name, '']));
  const id = await transaction(async () => {
    const made = await insertRow(table, {
      ...emptyJson(table),
      ...storedFields(kind, { ...blank, ...given(input as Values) }),
      name: input.name,
      [secretFieldOf(kind)]: '',
      user_id: actor.id,
      created_at: new Date().toISOString(),
    });
    await storeSecret(kind.table.name, made, secret);
    return made;
  });
  if (kind.test.onSave) await testSaved(kind, id);
  return findAccount(actor, kind, id, shown);
}

/**
 * Edits an account; what is absent stays, and so does the secret where the mask is sent. With a new login the result of the
 * last test is deleted, and the account is tested if its kind is tested when it is saved. Throws as `refuseStale`, which never sees the secret.
 */
export async function updateAccount<K extends Kind>(
  actor: Actor,
  kind: K,
  id: number,
  change: AccountChange<K>,
  shown: SecretsShown,
  options: EditOptions = {},
): Promise<AccountView<K, Message>> {
  const secret = await changedSecret(kind, change);
  const isNewLogin = await transaction(async () => {
    const edit = await approvedEdit(actor, kind, id, change, options);
    await updateRow(kind.table as Table, id, edit.columns);
    if (secret !== undefined) await storeSecret(kind.table.name, id, secret);
    return edit.isNewLogin;
  });
  if (isNewLogin && kind.test.onSave) await testSaved(kind, id);
  return findAccount(actor, kind, id, shown);
}

type TestOf<K extends Kind> = Tested<DetailsOf<K['noun']>>;

const tryLogin = <K extends Kind>(kind: K, login: Login): Promise<TestOf<K>> =>
  testerOf(kind).test(login) as Promise<TestOf<K>>;

/** Tests a login that is not saved. Throws AppError `invalid` for the mask. */
export async function testLogin<K extends Kind>(kind: K, login: AccountLogin<K>): Promise<TestOf<K>> {
  const values = login as Values;
  const field = secretFieldOf(kind);
  const secret = requireSecret(field, values[field] ?? '');
  checkSettings(kind, values);
  return tryLogin(kind, { id: null, fields: textsOf(kind, values), secret: () => secret });
}

/** Stores the result, unless the login was edited meanwhile. */
async function testSaved<K extends Kind>(kind: K, id: number): Promise<TestOf<K>> {
  const row = await findTeamRow<AccountRow>(kind.table.name, id);
  const sealed = String(row[secretFieldOf(kind)]);
  const secret = (): string => readSecret(kind.table.name, id, sealed);
  const tested = await tryLogin(kind, { id, fields: textsOf(kind, row), secret });
  const check_error = tested.code === null ? null : JSON.stringify(tested.message);
  const known = Object.fromEntries(Object.entries(tested.known).filter(([, value]) => value !== null));
  await transaction(async () => {
    // Running work may have told of it meanwhile.
    const before = ((await findRow(kind.table as Table, id)) ?? row) as AccountRow;
    const stored = await setAccountTest(kind, row, { checked_at: new Date().toISOString(), check_error, ...known });
    if (stored === 1) await recordTest(before, tested.code, { check_error, ...known });
  });
  return tested;
}

/**
 * Tests an account and stores the result. Throws AppError `not_found`, and `forbidden` where only those who may edit an
 * account of the kind may test it.
 */
export async function testAccount<K extends Kind>(actor: Actor, kind: K, id: number): Promise<TestOf<K>> {
  if (kind.test.by === 'owner') await findOwnTeamRow(actor, kind.table.name, id);
  return testSaved(kind, id);
}
