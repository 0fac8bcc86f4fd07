/** What stands for a secret that is not shown. A write that carries it keeps what is stored. */
export const MASK = '********';
