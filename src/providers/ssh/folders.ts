import { STATUS, statusOf } from './answers.ts';
import { parentOf } from './paths.ts';

interface Maker {
  make: (path: string) => Promise<void>;
  /** Follows links. */
  isFolder: (path: string) => Promise<boolean>;
}

/** Makes a memoized `mkdir -p`: for many files of a folder it is created once, even for concurrent calls. `forget` clears the memory. */
export function makeFolders({ make, isFolder }: Maker): {
  makeDirs: (path: string) => Promise<void>;
  forget: () => void;
} {
  const known = new Map<string, Promise<void>>();

  const makeOrSee = async (path: string): Promise<void> => {
    try {
      await make(path);
    } catch (error) {
      const status = statusOf(error);
      if (status === STATUS.missing && parentOf(path) !== path) {
        // Another session may have removed it, empty, since this one has seen it.
        known.delete(parentOf(path));
        await makeDirs(parentOf(path));
        await makeSole(path);
      } else if (status === undefined || !(await isFolder(path))) throw error;
    }
  };
  // Another process may have created the folder just now.
  const makeSole = async (path: string): Promise<void> => {
    try {
      await make(path);
    } catch (error) {
      if (statusOf(error) === undefined || !(await isFolder(path))) throw error;
    }
  };
  const makeDirs = (path: string): Promise<void> => {
    const earlier = known.get(path);
    if (earlier) return earlier;
    const made = makeOrSee(path);
    known.set(path, made);
    made.catch(() => known.delete(path));
    return made;
  };
  return { makeDirs, forget: () => known.clear() };
}
