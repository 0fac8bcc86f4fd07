/**
 * Marks of direction, blanks without width, soft hyphens: two texts that differ in these look the same. Joiners of letters and emoji are not
 * among them. U+FFFD stands where text of another encoding was read.
 */
export const INVISIBLE = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u2060-\u2065\u206A-\u206F\uFEFF\uFFF9-\uFFFB\uFFFD]/;

/** `INVISIBLE`, and all else that is not drawn by itself, joiners as well: two names that differ in these look the same. */
export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB\uFFFD]/u;
