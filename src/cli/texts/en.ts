import type { HelpTexts } from './ru.ts';

/** The help in English: complete, or it does not compile. */
export const en: HelpTexts = {} as HelpTexts;
