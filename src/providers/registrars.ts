import { expired } from './registrars/expired.ts';
import { namecheap } from './registrars/namecheap.ts';
import { porkbun } from './registrars/porkbun.ts';
import { reghouse } from './registrars/reghouse.ts';
import { regru } from './registrars/regru.ts';
import type { Registrar } from './provider.ts';

/** Every registrar, in the order in which types are offered. */
export const REGISTRARS = [reghouse, expired, regru, namecheap, porkbun] as const;

/** Returns the registrar of a type; undefined: there is none. Its caller gives it a login with the declared fields. */
export const registrarOf = (type: string): Registrar | undefined =>
  (REGISTRARS as unknown as readonly Registrar[]).find(({ id }) => id === type);
