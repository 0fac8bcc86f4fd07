/** The servers table. */
export interface ServerRow {
  id: number;
  user_id: number | null;
  name: string;
  ssh_host: string;
  ssh_user: string;
  ssh_password: string;
  created_at: string;
}

/** The cloudflare_accounts table. */
export interface CloudflareAccountRow {
  id: number;
  user_id: number | null;
  name: string;
  email: string;
  api_key: string;
  ns_1: string | null;
  ns_2: string | null;
  created_at: string;
}

/** The registrars table. */
export interface RegistrarRow {
  id: number;
  user_id: number | null;
  type: string;
  name: string;
  login: string;
  password: string;
  created_at: string;
}

/** The templates table. */
export interface TemplateRow {
  id: number;
  user_id: number | null;
  name: string;
  file_path: string;
  created_at: string;
}
