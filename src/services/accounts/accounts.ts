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
import { refuseStale, type Was } from '../../shared/stale.ts';
import type { Table } from '../../shared/table.ts';
import type { Actor } from '../access/scope.ts';
import { checkSettings, forgottenWith, given, textsOf, type Values } from './account-settings.ts';
import { recordTest } from './events.ts';
import { listAccountRows, setAccountTest, type AccountRow, type ListedAccountRow } from './rows.ts';
import {
  canEdit,
  findOwnTeamRow,
  findTeamRow,
  newSecret,
  readSecret,
  requireSecret,
  shownSecret,
  storeSecret,
  type SecretsShown,
} from './team.ts';
import { untested, type Login, type Tested, type Tester } from './tester.ts';
import { TESTERS, type DetailsOf } from './testers.ts';

const testerOf = ({ noun }: Kind): Tester => TESTERS[noun];

const columnOf = ({ columns }: Table, name: string) => columns[name];

/** Returns the values of the given fields but the secret, as their columns store them. */
function storedFields(kind: Kind, values: Values): Record<string, string | null> {
  const given = fieldsOf(kind).flatMap(([name, field]) => {
    const value = values[name];
    if (field.kind === 'secret' || value === undefined) return [];
    return [[name, value === '' && columnOf(kind.table, name)?.nullable ? null : value]];
  });
  return Object.fromEntries(given) as Record<string, string | null>;
}

function viewOf<K extends Kind>(
  actor: Actor,
  kind: K,
  { user_id, ...row }: ListedAccountRow,
  shown: SecretsShown,
): AccountView<K, Message> {
  const owned = { ...row, user_id };
  const secret = secretFieldOf(kind);
  const isJson = (name: string): boolean => name === 'groups' || columnOf(kind.table, name)?.kind === 'json';
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
  const values = input as Values;
  const field = secretFieldOf(kind);
  const secret = requireSecret(field, values[field] ?? '');
  checkSettings(kind, values);
  await testerOf(kind).checkSecret?.(secret);
  const table: Table = kind.table;
  const blank = Object.fromEntries(fieldsOf(kind).map(([name]) => [name, '']));
  const id = await transaction(async () => {
    const made = await insertRow(table, {
      ...emptyJson(table),
      ...storedFields(kind, { ...blank, ...given(values) }),
      name: input.name,
      [field]: '',
      user_id: actor.id,
      created_at: new Date().toISOString(),
    });
    await storeSecret(kind.table.name, made, secret);
    return made;
  });
  if (kind.test.onSave) await testSaved(kind, id);
  return findAccount(actor, kind, id, shown);
}

/** `was`: the former fields that `refuseStale` compares; `approve`: a check of the edit in its transaction, which may throw. */
export interface EditOptions {
  was?: Was | undefined;
  approve?: (before: AccountRow, changed: Values) => Promise<void>;
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
  { was, approve }: EditOptions = {},
): Promise<AccountView<K, Message>> {
  const values = change as Values;
  const secret = newSecret(values[secretFieldOf(kind)]);
  if (secret !== undefined) await testerOf(kind).checkSecret?.(secret);
  const table: Table = kind.table;
  const isNewLogin = await transaction(async () => {
    const before = await findOwnTeamRow<AccountRow>(actor, kind.table.name, id);
    const texts = textsOf(kind, before);
    refuseStale(was, { name: before.name, ...texts }, values);
    checkSettings(kind, values, texts);
    const fields = storedFields(kind, values);
    const changed = Object.keys(fields).filter((name) => fields[name] !== before[name]);
    const isNew = secret !== undefined || changed.length > 0;
    const name = change.name === undefined ? {} : { name: change.name };
    const forgotten = forgottenWith(kind, changed, secret !== undefined);
    await approve?.(before, values);
    await updateRow(table, id, { ...name, ...fields, ...forgotten, ...(isNew && untested(table)) });
    if (secret !== undefined) await storeSecret(kind.table.name, id, secret);
    return isNew;
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
