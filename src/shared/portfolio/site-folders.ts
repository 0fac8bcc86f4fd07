// Folders of the system: a site in one of them, or in their place, would take the server down.
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|lost\+found|proc|run|sbin|sys|usr\/(?!share\/|local\/)[^/]*|var\/(?:backups|cache|lib|lock|log|mail|run|spool))(?:\/|$)/;

// Folders that hold those of sites or of users: a site in the place of one would take all of them off the web.
const SHARED =
  /^\/(?:(?:home|media|mnt|opt|root|srv|tmp|usr|var)?|home\/[^/]+|usr\/(?:local|share)|var\/www|var\/www\/vhosts|var\/www\/[^/]+\/data(?:\/www)?|var\/www\/www-root)$/;

/** Whether a path on a server, absolute and without `..`, belongs to the system. */
export const isSystemFolder = (path: string): boolean => SYSTEM.test(path.toLowerCase());

/** Whether such a path may be a site's own folder: neither the system's nor one that holds those of sites or users. */
export const isFolderOfSite = (path: string): boolean =>
  !isSystemFolder(path) && !SHARED.test(path.toLowerCase().replace(/\/+$/, '') || '/');

/** Returns the form in which paths are compared: without a final slash. */
export const plainFolder = (path: string): string => path.replace(/(?<=[^/])\/+$/, '');

// Control characters, blanks other than the usual one, and what is not seen: two folders must not look like one.
const BAD = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\\~]|(?! )\p{Zs}/u;
const LONGEST = 500;
const isPlain = (part: string): boolean => part !== '' && !part.startsWith('.') && !/^[-~]/.test(part);

/** Whether a path leads nowhere else, is not hidden, and can be told from others by eye. */
function isWellSpelt(path: string): boolean {
  const plain = plainFolder(path);
  const isAbsolute = plain.startsWith('/') && plain.length <= LONGEST;
  return isAbsolute && plain.split('/').slice(1).every(isPlain) && !BAD.test(plain);
}

/** Whether a site can be deployed to a path, as far as its spelling goes: releases need a folder above it. */
export const isDeployable = (path: string): boolean =>
  isWellSpelt(path) && !isSystemFolder(plainFolder(path)) && plainFolder(path).lastIndexOf('/') > 0;

// Blanks at an end of a part, and several in a row, which are shown as one.
const BLANKS = / (?:[ /]|$)|\/ /;

/**
 * Whether a domain may be saved with a path as the folder of its site: no other folder looks the same, and with letters that are composed.
 * None is deployed to one directly below the root.
 */
export const isFitFolder = (path: string): boolean =>
  isFolderOfSite(path) && isWellSpelt(path) && !BLANKS.test(plainFolder(path)) && path === path.normalize('NFC');
