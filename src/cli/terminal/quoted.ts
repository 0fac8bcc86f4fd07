/** Returns a word as it is typed into a shell: in quotes where it has other characters than letters, digits and these. */
export const quoted = (word: string): string =>
  /^[\p{L}\p{N}@%+=:,./_-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
