import { expect, test, vi } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { noteSignIn } from '../../../src/services/access/sign-in-networks.ts';
import { claimAttempt, networkOf } from '../../../src/services/access/throttle.ts';
import type { AppError } from '../../../src/shared/errors.ts';
import { insertUser } from '../../../src/services/access/users.ts';
import { useThrottle } from './throttle-world.ts';

const file = useThrottle();

const makeUser = (login: string) => transaction(() => insertUser({ login, role: 'user' }, 'no hash'));

const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);

/** Returns 0 where the password would be checked, else the seconds of `Retry-After`. */
const guess = async (login: string, address: string): Promise<number> => {
  try {
    await claimAttempt(login, address);
    return 0;
  } catch (error) {
    return (error as AppError).retryAfter ?? Number.NaN;
  }
};
const guesses = (count: number, login: (index: number) => string, address: (index: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, index) => guess(login(index), address(index))));

test('thirty wrong logins from an address stop strangers there for at most 30 s, and no login that has signed in from there', async () => {
  const address = '192.0.2.10';
  const id = await makeUser('Regular');
  await transaction(() => noteSignIn({ id, login: 'Regular' }, address));
  expect(
    await guesses(
      30,
      (index) => `nobody-${index}`,
      () => address,
    ),
  ).toEqual(Array.from({ length: 30 }, () => 0));
  expect(await guess('regular', address)).toBe(0);
  for (const login of ['newcomer', 'nobody-99']) {
    const wait = await guess(login, address);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(30);
  }
  pass(15);
  expect(await guess('newcomer', address)).toBe(0);
  // One try per wait.
  expect(await guess('newcomer', address)).toBeGreaterThan(0);
  // Other addresses are not affected.
  expect(await guess('newcomer', '192.0.2.11')).toBe(0);
});

test('at most thirty passwords are checked for a login in 15 minutes, from any number of addresses and at any pace', async () => {
  const home = '192.0.2.20';
  const id = await makeUser('target');
  await transaction(() => noteSignIn({ id, login: 'target' }, home));
  let looked = 0;
  for (let second = 0; second < 15 * 60; second += 30) {
    const waits = await guesses(
      8,
      () => 'target',
      // Each comes back after its wait.
      (index) => (index === 0 ? home : `198.51.100.${second / 30 + index}`),
    );
    looked += waits.filter((wait) => wait === 0).length;
    looked += await claimAttempt('target', home, `wrong ${second}`, true).then(
      () => 1,
      () => 0,
    );
    pass(30);
  }
  expect(looked).toBeLessThanOrEqual(30);
  expect(looked).toBeGreaterThanOrEqual(20);
});

test('an owner whose login is flooded can sign in from a new address within 30 s', async () => {
  await guesses(
    200,
    () => 'flooded',
    (index) => `203.0.113.${index}`,
  );
  let waited = 0;
  for (let wait = await guess('flooded', '192.0.2.30'); wait > 0; wait = await guess('flooded', '192.0.2.30')) {
    waited += wait;
    pass(wait);
  }
  expect(waited).toBeLessThanOrEqual(30);
});

test('a wrong password of a known login gets the same answer as a stranger', async () => {
  const address = '192.0.2.40';
  const id = await makeUser('colleague');
  await transaction(() => noteSignIn({ id, login: 'colleague' }, address));
  await guesses(
    30,
    (index) => `somebody-${index}`,
    () => address,
  );
  const { asStranger } = await claimAttempt('colleague', address);
  const stranger = await claimAttempt('stranger', address).catch((error: unknown) => error as AppError);
  expect(asStranger).toMatchObject({ kind: 'too_many', retryAfter: (stranger as AppError).retryAfter });
});

test('returned tries, and tries before a right password, do not count', async () => {
  for (let round = 0; round < 50; round += 1) await (await claimAttempt('refunded', '192.0.2.50')).giveBack();
  for (let round = 0; round < 4; round += 1) {
    await claimAttempt('typist', '192.0.2.51');
    await (await claimAttempt('typist', '192.0.2.51')).forgive();
  }
  expect(await guess('refunded', '192.0.2.50')).toBe(0);
  expect(await guess('typist', '192.0.2.51')).toBe(0);
});

test('an IPv6 subscriber is one network, however his addresses are written', () => {
  const same = ['2001:db8:1:2::1', '2001:0db8:0001:0002:ffff::', '2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::192.0.2.1'];
  expect(new Set(same.map(networkOf))).toEqual(new Set(['2001:db8:1:2::/64']));
  expect([networkOf('2001:db8:1:3::1'), networkOf('::1'), networkOf('192.0.2.1')]).toEqual([
    '2001:db8:1:3::/64',
    '0:0:0:0::/64',
    '192.0.2.1',
  ]);
});

test('the networks of earlier sign-ins are still known after a restart', async () => {
  const id = await makeUser('restarted');
  await transaction(() => noteSignIn({ id, login: 'restarted' }, '192.0.2.60'));
  await closeDatabase();
  await openDatabase(file());
  await guesses(
    30,
    (index) => `guest-${index}`,
    () => '192.0.2.60',
  );
  expect(await guess('restarted', '192.0.2.60')).toBe(0);
  expect(await select('SELECT user_id, network FROM sign_in_networks WHERE user_id = $id', { id })).toEqual([
    { user_id: id, network: '192.0.2.60' },
  ]);
});

test('a sign-in of more than 90 days ago no longer counts', async () => {
  const id = await makeUser('long-ago');
  await transaction(async () => {
    await noteSignIn({ id, login: 'long-ago' }, '192.0.2.61');
    await execute('UPDATE sign_in_networks SET last_at = $at WHERE user_id = $id', {
      id,
      at: new Date(Date.now() - 91 * 86_400_000).toISOString(),
    });
  });
  await closeDatabase();
  await openDatabase(file());
  await guesses(
    30,
    (index) => `visitor-${index}`,
    () => '192.0.2.61',
  );
  expect(await guess('long-ago', '192.0.2.61')).toBeGreaterThan(0);
});

test('who is told to wait gets in after 15 s with the same password, while another guesses at the same address without a pause', async () => {
  const address = '192.0.2.62';
  const secondsFor = (password: string): Promise<number> =>
    claimAttempt('besieged', address, password).then(
      () => 0,
      (error: unknown) => (error as AppError).retryAfter ?? Number.NaN,
    );
  let looked = 0;
  const floodFor = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      for (let turn = 0; turn < 3; turn += 1) {
        const wait = await secondsFor(`guess ${second} ${turn} of ${Date.now()}`);
        if (wait === 0) looked += 1;
      }
      pass(1);
    }
  };
  await floodFor(60);
  // The free ones, and two after a wait.
  expect(looked).toBe(7);
  expect(await secondsFor('the right one')).toBe(15);
  await floodFor(15);
  const { forgive } = await claimAttempt('besieged', address, 'the right one');
  // Once: it was used up.
  expect(await secondsFor('the right one')).toBeGreaterThan(0);
  await forgive();
  expect(looked).toBe(7);
});

test('a device that has signed in gets in at once, however the login is guessed at from its network and others', async () => {
  await guesses(
    400,
    () => 'carried',
    (index) => (index % 2 === 0 ? '192.0.2.63' : `203.0.113.${index % 250}`),
  );
  expect(await guess('carried', '192.0.2.63')).toBeGreaterThan(0);
  for (let round = 0; round < 8; round += 1)
    await (await claimAttempt('carried', '192.0.2.63', 'the right one', true)).forgive();
  // Of a device that guesses as well five tries count, and no more.
  const wrong: number[] = [];
  for (let tries = 0; tries < 6; tries += 1) {
    wrong.push(
      await claimAttempt('carried', '192.0.2.63', `guess ${tries}`, true).then(
        () => 0,
        () => 1,
      ),
    );
  }
  expect(wrong).toEqual([0, 0, 0, 0, 0, 1]);
});
