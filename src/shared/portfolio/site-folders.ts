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
