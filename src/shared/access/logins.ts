// No login has more characters, however its letters are composed.
const LONGEST = 260;

/** Returns the form in which logins are compared: whatever the case of their letters, and whether marks are typed apart from them. */
export const foldLogin = (login: string): string => login.slice(0, LONGEST).normalize('NFC').toLowerCase();
