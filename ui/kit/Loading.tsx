/** Stands, unseen, where a part of the interface is still loaded: the page is busy until it is there. */
export const Loading = () => <span hidden aria-busy="true" />;
