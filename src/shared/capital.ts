/** Returns a text with a capital as its first letter, by the rules of no browser's language: a Turkish one has a dot on its capital I. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
