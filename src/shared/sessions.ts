/** The sessions table. The id of a token is kept as a hash; `address` is where the sign-in came from. */
export interface SessionRow {
  id: number;
  user_id: number;
  sid_hash: string;
  address: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

/** The setup_links table: the hash of a link's token, while there are no users. */
export interface SetupLinkRow {
  id: number;
  token_hash: string;
  expires_at: string;
}
