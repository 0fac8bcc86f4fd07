import { may, reaches, type Call, type Routes, type ZoneCall } from './call.ts';
import { pageRules } from './page-rules.ts';
import { records } from './records.ts';
import { refuse, type Reply } from './reply.ts';
import { rulesets } from './rulesets.ts';
import { settings } from './settings.ts';
import type { Permission, Zone } from './state.ts';
import { users } from './users.ts';
import { refuseCreation, zone, zones } from './zones.ts';

const ID = /^[0-9a-f]{32}$/;

interface Match {
  pattern: RegExp;
  needs: Permission | undefined;
  run: (call: Call) => Reply;
}

const patternOf = (route: string): RegExp => new RegExp(`^${route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);

/** Returns the zone of the path; refuses one that the login does not reach. */
function zoneOf({ store, login, params }: Call): Zone {
  const id = params['zone'] ?? '';
  if (!ID.test(id)) {
    refuse(400, 7003, `Could not route to /zones/${id}, perhaps your object identifier is invalid?`);
  }
  const zone = store.state.zones[id] ?? refuse(404, 1001, 'Invalid zone identifier');
  if (!reaches(login, zone)) refuse(403, 9109, 'Unauthorized to access requested resource');
  return zone;
}

const ofZone =
  (run: (call: ZoneCall) => Reply) =>
  (call: Call): Reply =>
    run({ ...call, zone: zoneOf(call) });

const matches = <OneCall>(routes: Routes<OneCall>, run: (own: (call: OneCall) => Reply) => Match['run']): Match[] =>
  Object.entries(routes).map(([route, own]) => ({ pattern: patternOf(route), needs: own.needs, run: run(own.run) }));

const ROUTES: Match[] = [
  ...matches({ ...users, ...zones }, (run) => run),
  ...matches({ ...zone, ...records, ...settings, ...pageRules, ...rulesets }, ofZone),
];

/** Performs the call `METHOD /path`, within the permissions of the login. */
export function answer(route: string, call: Omit<Call, 'params'>): Reply {
  for (const { pattern, needs, run } of ROUTES) {
    const match = pattern.exec(route);
    if (!match) continue;
    if (needs?.startsWith('page_rules') && call.login.account_owned) {
      refuse(400, 1011, 'Page Rules endpoint does not support account owned tokens. Use a user owned token.');
    }
    if (route === 'POST /zones' && !may(call.login, 'zone:edit')) refuseCreation();
    if (needs !== undefined && !may(call.login, needs)) refuse(403, 10_000, 'Authentication error');
    return run({ ...call, params: { ...match.groups } });
  }
  return refuse(404, 7000, 'No route for that URI');
}
