import { createElement, useEffect, useState, type ComponentType } from 'react';
import { loadRest } from './reader/reader.ts';

/** Stands, unseen, where a part of the interface is still loaded: the page is busy until it is there. */
export const Loading = () => <span hidden aria-busy="true" />;

/** A part of the interface that is loaded when it is first drawn, or before by `load`. */
export type Later<Props extends object> = ComponentType<Props> & { load: () => Promise<unknown> };

/**
 * Returns a part that is loaded with its texts when it is first drawn, and drawn as soon as both are here; loaded before, it is drawn at once.
 * React's `lazy` would hide the part for 300 ms after a fallback. A failure to load is thrown to the error boundary; the next part that is
 * drawn loads again.
 */
export function later<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  loadTexts: () => Promise<void> = loadRest,
): Later<Props> {
  let here: ComponentType<Props> | undefined;
  let asked: Promise<ComponentType<Props>> | undefined;
  const ask = (): Promise<ComponentType<Props>> => {
    asked ??= Promise.all([load(), loadTexts()]).then(([part]) => part);
    asked.then(
      (part) => (here = part),
      () => (asked = undefined),
    );
    return asked;
  };
  function Part(props: Props) {
    // Kept while it is mounted: another type of part would begin anew.
    const [Loaded, setLoaded] = useState(() => here);
    useEffect(() => {
      if (Loaded) return;
      ask().then(
        (part) => setLoaded(() => part),
        (reason: unknown) =>
          setLoaded(() => {
            throw reason;
          }),
      );
    }, [Loaded]);
    return Loaded ? createElement(Loaded, props) : <Loading />;
  }
  return Object.assign(Part, { load: ask });
}

/** The class of an element that is hidden but keeps its place: a list in it measures itself before it is shown. */
export const UNSEEN = 'unseen';
/** The class of an element whose height is not known yet: its following siblings are hidden but keep their place. */
export const AWAITED = 'awaited';

// Longer than an answer usually takes.
const PATIENCE_MS = 3_000;

/**
 * Returns whether the parts below one that is being loaded stay hidden, because they would move when it comes: while `isLoading`,
 * three seconds at most after the first drawing.
 */
export function useAwaited(isLoading: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLoading && !isLate;
}
