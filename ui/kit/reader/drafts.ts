/** What was typed, by the names of its fields; JSON can hold it. */
export type Draft = Readonly<Record<string, unknown>>;

interface Kept {
  user: number;
  drafts: Record<string, Draft>;
}

const KEY = 'drafts';
const open = new Map<string, () => Draft | undefined>();

/** Lets what is typed into a form be kept where the session ends; `read` returns undefined where nothing is typed. */
export function watchDraft(name: string, read: () => Draft | undefined): () => void {
  open.set(name, read);
  return () => {
    if (open.get(name) === read) open.delete(name);
  };
}

function keptFor(user: number): Record<string, Draft> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
    return kept.user === user && kept.drafts ? kept.drafts : {};
  } catch {
    return {};
  }
}

function keep(user: number, drafts: Record<string, Draft>): void {
  try {
    if (Object.keys(drafts).length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ user, drafts } satisfies Kept));
  } catch {
    // The browser has no room, or keeps nothing: the way to the sign-in must not end here.
  }
}

/** Called where the server ends a session: keeps what its user has typed, in this tab alone. */
export function keepDrafts(user: number): void {
  const typed = [...open].flatMap(([name, read]): [string, Draft][] => {
    const draft = read();
    return draft ? [[name, draft]] : [];
  });
  keep(user, { ...keptFor(user), ...Object.fromEntries(typed) });
}

/** Returns what a user had typed into a form before the session ended. */
export const readDraft = (user: number, name: string): Draft | undefined => keptFor(user)[name];

/** Called when a draft is in its form again; also removes what anybody else had typed. */
export function dropDraft(user: number, name: string): void {
  const { [name]: _, ...rest } = keptFor(user);
  keep(user, rest);
}

/** Called at a sign-out by hand. */
export const forgetDrafts = (): void => sessionStorage.removeItem(KEY);
