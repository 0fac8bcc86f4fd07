import type { Registry, RegistryAnswer } from '../../providers/registry.ts';
import { askInTurn } from './registry-turns.ts';

// Until an answer is stored, other work would ask for it again.
const SHARED_MS = 10_000;
let runs = 0;
const shared = new Map<string, Promise<RegistryAnswer>>();

/** Asks about a name, or takes over what other work of this process is asking or has just been told. */
export async function askOnce(
  registry: Registry,
  name: string,
  turn: { left: number; signal: AbortSignal },
): Promise<RegistryAnswer> {
  const key = `${registry.key} ${name}`;
  for (let known = shared.get(key); known; known = shared.get(key)) {
    const answer = await known.catch(() => undefined);
    if (answer) return answer;
    if (shared.get(key) === known) break;
  }
  // Nothing is waited for between the look above and the note below: two that come at once would both ask.
  const asked = askInTurn(registry, name, turn);
  shared.set(key, asked);
  const forget = (): void => {
    if (shared.get(key) === asked) shared.delete(key);
  };
  try {
    const found = await asked;
    setTimeout(forget, SHARED_MS).unref();
    return found;
  } catch (error) {
    forget();
    throw error;
  }
}

/** Runs look-ups, which share answers with others that run meanwhile. */
export async function whileSharing<T>(work: () => Promise<T>): Promise<T> {
  runs += 1;
  try {
    return await work();
  } finally {
    runs -= 1;
    if (runs === 0) shared.clear();
  }
}
