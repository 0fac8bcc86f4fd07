/** Stands in the build for what packages load and nothing here uses. */
export const nothing = null;
