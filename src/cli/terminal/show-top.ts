import type { TopView } from './Top.tsx';

/** Draws the screen of `top`: Ink takes 300 ms to load, and nothing but that needs it. */
export const startTop = async (): Promise<TopView> => (await import('./Top.tsx')).drawTop();
