/** Path of previews of sites; the token that follows gives access for ten minutes. */
export const SITE_PREVIEWS = '/api/site_previews/';
/** Path of downloads of templates; the token that follows gives access for ten minutes. */
export const TEMPLATE_FILES = '/api/template_files/';
