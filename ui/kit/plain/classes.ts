/** Joins the names of classes; what is false or absent is left out. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
