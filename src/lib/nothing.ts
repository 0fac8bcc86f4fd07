/** Replaces, in the build, modules that packages load but this product does not use. */
export const nothing = null;
