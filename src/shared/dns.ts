/** The zone_levels table: the security level a zone had before Under Attack mode replaced it. */
export interface ZoneLevelRow {
  id: number;
  zone_id: string;
  security_level: string;
  changed_at: string;
}
