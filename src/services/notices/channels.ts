import type { NoticeChannel } from '../../providers/provider.ts';
import type { PersonalChannel } from '../../shared/notices/notices.ts';

/** A channel to people, and where it reaches a user; null: nowhere. */
export interface PersonalRoute {
  channel: NoticeChannel;
  addressOf: (user_id: number) => Promise<string | null>;
}

let routes: Partial<Record<PersonalChannel, PersonalRoute>> = {};
let webhook: NoticeChannel | null = null;

/** Sets the channels of this process: a door does so before it calls the services of notices. */
export function useChannels(given: Partial<Record<PersonalChannel, PersonalRoute>>, hook: NoticeChannel | null): void {
  routes = given;
  webhook = hook;
}

/** Adds a channel to those of this process. */
export function addChannel(name: PersonalChannel, route: PersonalRoute): void {
  routes = { ...routes, [name]: route };
}

/** Returns the channels to people that this process has. */
export const personalRoutes = (): [PersonalChannel, PersonalRoute][] =>
  Object.entries(routes) as [PersonalChannel, PersonalRoute][];

/** Returns a channel to people; undefined: it is not set up. */
export const personalRoute = (name: PersonalChannel): PersonalRoute | undefined => routes[name];

/** Returns the channel to programs; null: it is not set up. */
export const webhookChannel = (): NoticeChannel | null => webhook;
