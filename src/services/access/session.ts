import { actingAs } from '../../../db/acting.ts';
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import type { UserRow } from '../../shared/access/tables.ts';
import { hashPassword, refuseLateSignIn, verifyPassword } from '../../lib/password.ts';
import { formerLogin, hashToken, randomToken, SESSION_SECONDS, signToken, verifyToken } from '../../lib/token.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { requiresFactor, type PasskeySignIn, type SecondStep } from '../../shared/access/factors.ts';
import { foldLogin } from '../../shared/access/logins.ts';
import type { TokenScope } from '../../shared/access/tokens.ts';
import type { Role, UserView } from '../../shared/access/users.ts';
import {
  type Enrolment,
  deleteEndedSessions,
  deleteSetupLinks,
  findSession,
  hasSetupLink,
  insertSession,
  insertSetupLink,
  listLiveSessions,
  setSessionSeen,
  type SessionUser,
  type Times,
} from './rows.ts';
import { findFactors } from './factor-rows.ts';
import { KnownCallers } from './known-callers.ts';
import { noteSignIn } from './sign-in-networks.ts';
import { finishPasskeySignIn } from './passkey-sign-in.ts';
import { askSecondFactor, finishSignIn } from './second-step.ts';
import { isEnded, refuseEnded } from './sign-out.ts';
import { claimAttempt, claimSetup, forgiveSetup, networkOf } from './throttle.ts';
import type { Actor, StillMay } from './scope.ts';
import { findUserByLogin, hasNoUsers, insertUser } from './users.ts';

const IDLE_SECONDS = 2 * 60 * 60;
// The time of the last request is stored once a minute; otherwise each request would write.
const SEEN_EVERY_SECONDS = 60;
const SETUP_MINUTES = 30;

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const ahead = (seconds: number): string => ago(-seconds);

/** Returns the times by which a session is valid now. */
export const liveTimes = (): Times => ({ now: ago(0), idle: ago(IDLE_SECONDS) });

const MAX_AGENT = 300;

/**
 * Where a sign-in comes from: the address, what the browser says about itself, the origin of the page, and the token of a former session
 * there, which may be over.
 */
export interface From {
  address: string;
  former?: string | undefined;
  origin?: string;
  agent?: string | undefined;
}

type SignedIn = Pick<UserRow, 'id' | 'login' | 'role' | 'telegram'>;

/** Opens a session in the name of its user, whom nobody knew before. */
const openSession = (key: Buffer, user: SignedIn, from: From, after?: Record<string, string>): Promise<string> =>
  actingAs(user, async () => {
    note({
      action: 'sign_in',
      object: 'users',
      id: user.id,
      name: user.login,
      ...(after && { after }),
    });
    return storeSession(key, user, from);
  });

async function storeSession(key: Buffer, user: SignedIn, { address, agent }: From): Promise<string> {
  const sid = randomToken();
  await Promise.all([
    deleteEndedSessions(liveTimes()),
    insertSession({
      user_id: user.id,
      sid_hash: hashToken(sid),
      address,
      agent: agent?.slice(0, MAX_AGENT) || null,
      created_at: ago(0),
      expires_at: ahead(SESSION_SECONDS),
    }),
    noteSignIn(user, networkOf(address)),
  ]);
  return signToken(key, user, sid);
}

/**
 * Signs in and returns a token. Throws AppError `bad_login`, after the same time, for an unknown login, a wrong
 * password and a disabled user; `bad_login` with the code `second_factor_required` and a challenge for `finishSecondStep` where
 * the user has a second factor; `too_many` where a login or a network is guessed at, or too many passwords are being
 * verified.
 */
export async function signIn(key: Buffer, login: string, password: string, from: From | string): Promise<string> {
  // Called before anything is read: in a storm of sign-ins nearly all are refused here.
  refuseLateSignIn();
  const { address, agent, origin = '', former = '' } = typeof from === 'string' ? { address: from } : from;
  const name = login.trim();
  const isDevice = former !== '' && foldLogin(formerLogin(key, former) ?? '') === foldLogin(name);
  const claim = await claimAttempt(name, address, password, isDevice);
  const user = await findUserByLogin(name);
  const right = await verifyPassword(password, user?.password ?? null).catch(async (error: unknown) => {
    // Too many at once: the password was not verified, so the try does not count as a failure.
    await claim.giveBack();
    throw error;
  });
  if (!user || !right || !user.active) throw claim.asStranger ?? new AppError('bad_login', 'login.failed');
  const answer = await transaction(async () => {
    // Another password or the end of the account may have come while this one was verified.
    const [current, factors] = await Promise.all([findUserByLogin(user.login), findFactors(user.id)]);
    if (!current?.active || current.password !== user.password) throw new AppError('bad_login', 'login.failed');
    // In the same transaction: a password that comes next ends the challenge as well.
    const asksMore = factors.totp + factors.passkeys > 0;
    const [next] = await Promise.all([
      asksMore ? askSecondFactor(user, factors, origin) : openSession(key, current, { address, agent }),
      claim.forgive(),
    ]);
    return next;
  });
  if (typeof answer === 'string') return answer;
  throw answer;
}

/** Ends a sign-in by its second factor and returns a token. Throws as `finishSignIn`. */
export const finishSecondStep = (key: Buffer, step: SecondStep, from: From): Promise<string> =>
  finishSignIn(step, from.address, from.origin ?? '', (user, kind) =>
    openSession(key, user, from, { second_factor: kind }),
  );

/** Signs in by a passkey alone, which stands for password and second factor, and returns a token. Throws as `finishPasskeySignIn`. */
export const signInByPasskey = (key: Buffer, step: PasskeySignIn, from: From): Promise<string> =>
  finishPasskeySignIn(key, step, from.address, from.origin ?? '', (user, passkey) =>
    openSession(key, user, from, { passkey }),
  );

/** Not awaited: a request that only reads must neither queue behind writers nor fail where the disk is full. */
function noteSeen(session: number): void {
  transaction(() => setSessionSeen(session, ago(0))).catch(() => undefined);
}

/**
 * The user of a token, by the database as it is now; `session` is the id for `signOut`, 0 where a program called with an API
 * token, whose id and scope are then given.
 */
export interface Signed {
  actor: Actor & { id: number };
  session: number;
  api_token: number | null;
  scope: TokenScope | null;
  /** A second factor is required, and the user has none: only that can be added. */
  mustEnrol: boolean;
  user: UserView;
  still: StillMay;
}

/** Whether a user has to add a second factor before anything else. */
export const mustEnrol = ({ role, policy, factors }: Enrolment & { role: Role }): boolean =>
  factors === 0 && requiresFactor(policy, role);

const known = new KnownCallers<SessionUser>();

async function readUser(key: Buffer, token: string): Promise<{ caller: SessionUser; expires: number }> {
  const claims = verifyToken(key, token);
  const caller = await findSession(claims.id, hashToken(claims.sid), liveTimes());
  if (!caller?.active || caller.role !== claims.role) throw new AppError('bad_token', 'error.bad_token');
  refuseEnded(caller.session_id);
  return { caller, expires: claims.exp * 1000 };
}

/**
 * Returns the user of a token. Throws AppError `bad_token` for a session that was ended, and for a user who was
 * disabled, deleted, demoted or got a new password: at once where this process did it, within a second where another
 * one did.
 */
export async function authenticate(key: Buffer, token: string): Promise<Signed> {
  const user = known.find(token, key) ?? (await known.read(token, () => readUser(key, token), key));
  refuseEnded(user.session_id);
  if (user.last_seen_at < ago(SEEN_EVERY_SECONDS)) {
    user.last_seen_at = ago(0);
    noteSeen(user.session_id);
  }
  const { id, login, role, telegram, created_at, session_id: session } = user;
  return {
    actor: { id, login, role },
    session,
    api_token: null,
    scope: null,
    mustEnrol: mustEnrol(user),
    user: { id, login, role, telegram, created_at, active: true },
    still: async () => void (await readUser(key, token)),
  };
}

/** Returns those of the sessions that are valid, with the current roles of their users. Does not prolong a session. */
export async function liveSessions(sessions: number[]): Promise<Map<number, Role>> {
  const rows = await listLiveSessions(sessions, liveTimes());
  return new Map(rows.filter(({ id }) => !isEnded(id)).map(({ id, role }) => [id, role]));
}

/**
 * Creates the token of a first-run link, valid for 30 minutes and one use; an older one ends. Only its hash is stored.
 * Throws AppError `conflict` once a user exists.
 */
export async function createSetupToken(): Promise<string> {
  if (!(await hasNoUsers())) throw new AppError('conflict', 'setup.closed');
  const token = randomToken();
  await transaction(async () => {
    await deleteSetupLinks();
    await insertSetupLink(hashToken(token), ahead(SETUP_MINUTES * 60));
  });
  return token;
}

/**
 * Returns that the first administrator is still to be created. Throws AppError `not_found` afterwards, as if there were
 * no such page.
 */
export async function setupState(): Promise<{ open: true }> {
  if (!(await hasNoUsers())) throw notFound();
  return { open: true };
}

/**
 * Creates the first administrator by a link's token, deletes the link, signs in and returns the session's token. Throws
 * AppError `forbidden` for an invalid link, `too_many` after five of them, `not_found` once a user exists.
 */
export async function setUp(
  key: Buffer,
  input: { token: string; login: string; password: string },
  address: string,
  agent?: string,
): Promise<string> {
  await setupState();
  claimSetup(address);
  if (!(await hasSetupLink(hashToken(input.token), ago(0)))) {
    throw new AppError('forbidden', 'setup.invalid', {}, { code: 'setup_link_invalid' });
  }
  forgiveSetup(address);
  const password = await hashPassword(input.password);
  return transaction(async () => {
    await setupState();
    await deleteSetupLinks();
    const user = { login: input.login, role: 'admin' as const, telegram: null };
    const id = await insertUser({ login: input.login, role: 'admin' }, password);
    return openSession(key, { ...user, id }, { address, agent });
  });
}
