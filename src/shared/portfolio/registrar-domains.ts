/** A domain at a registrar; `expiredAt` is an ISO 8601 time in UTC, null where the service does not tell. */
export interface AtRegistrar {
  domain: string;
  expiredAt: string | null;
  /** It is in the caller's portfolio. */
  here: boolean;
  /** A date that waits for a decision in the portfolio; null: none does. */
  suspect_date: string | null;
}

/** A registrar's domains as it has them now. `gone` are those that the portfolio has there, and the registrar has not. */
export interface RegistrarDomains {
  id: number;
  type: string;
  name: string;
  domains: AtRegistrar[];
  gone: string[];
}
