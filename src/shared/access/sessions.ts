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

/** The sign_in_networks table: an IPv4 address or the first 64 bits of an IPv6 address from which a user has signed in. */
export interface SignInNetworkRow {
  id: number;
  user_id: number;
  network: string;
  last_at: string;
}
