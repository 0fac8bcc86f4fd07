/** Returns the path of the page of a transfer, by the number of its operation; with `move` of one of its moves. */
export const transferPath = (id: number, move?: number): string =>
  move === undefined ? `/transfers/${id}` : `/transfers/${id}?move=${move}`;
