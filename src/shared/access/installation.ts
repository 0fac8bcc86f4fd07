/** The installation table: one value of the installation as a whole, such as what its key is known by. */
export interface InstallationRow {
  id: number;
  name: string;
  value: string;
}
