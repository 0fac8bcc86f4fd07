/** The installation table: named values of the whole installation, such as the fingerprint of its key. */
export interface InstallationRow {
  id: number;
  name: string;
  value: string;
}
