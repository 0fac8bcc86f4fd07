/** The imports table. `before` is JSON: the changed rows as they were, so that an import can be undone. */
export interface ImportRow {
  id: number;
  user_id: number;
  source: string;
  created: number;
  updated: number;
  before: string;
  created_at: string;
  undone_at: string | null;
}
