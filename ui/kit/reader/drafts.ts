/** An unsaved input, which JSON can hold; its form chooses the keys. */
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

/** Returns what a user had typed into a form before the session ended or its page was left. */
export const readDraft = (user: number, name: string): Draft | undefined => keptFor(user)[name];

/** Keeps what a user has typed into a form that is left, or drops what was kept where nothing is typed. */
export function keepDraft(user: number, name: string, draft: Draft | undefined): void {
  const { [name]: _, ...others } = keptFor(user);
  keep(user, draft ? { ...others, [name]: draft } : others);
}

/** Called when a draft is in its form again; also removes what anybody else had typed. */
export const dropDraft = (user: number, name: string): void => keepDraft(user, name, undefined);

/** Called at a sign-out by hand. */
export const forgetDrafts = (): void => sessionStorage.removeItem(KEY);
