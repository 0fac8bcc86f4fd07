/** One error of an envelope; `error_chain` has its causes. */
export interface ApiError {
  code: number;
  message: string;
  error_chain?: { code: number; message: string }[];
}

/** Reply to a call: the result, for a list with its paging; status 204 has no body. */
export interface Reply {
  result: unknown;
  result_info?: Record<string, number>;
  status?: number;
}

/** A refusal, thrown and turned into the envelope. */
export interface Refusal extends Error {
  status: number;
  errors: ApiError[];
}

/** Throws a refusal with a status and one error, as the API has it. */
export function refuse(status: number, code: number, message: string, chain: readonly [number, string][] = []): never {
  const error_chain = chain.map(([code, message]) => ({ code, message }));
  const error: ApiError = { code, message, ...(chain.length > 0 ? { error_chain } : {}) };
  throw Object.assign(new Error(message), { status, errors: [error] });
}

/** Whether an error is a refusal; any other is a bug of the fake. */
export const isRefusal = (error: unknown): error is Refusal => error instanceof Error && 'errors' in error;

/** The envelope of a refusal. */
export const failure = (errors: readonly ApiError[]) => ({ success: false, errors, messages: [], result: null });

/** The envelope of a result. */
export const success = ({ result, result_info }: Reply) => ({
  success: true,
  errors: [],
  messages: [],
  result,
  ...(result_info ? { result_info } : {}),
});

/** Allowed numbers of rows on a page of a list, and the default. */
export interface PageLimits {
  least: number;
  usual: number;
  most: number;
}

function wholeNumber(query: URLSearchParams, name: string, usual: number, least: number, most: number): number {
  const text = query.get(name);
  if (text === null) return usual;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    refuse(400, 1001, `Invalid ${name}: must be a whole number between ${least} and ${most}`);
  }
  return value;
}

/** Returns the page asked for; a page past the end is empty. */
export function page(rows: readonly unknown[], query: URLSearchParams, { least, usual, most }: PageLimits): Reply {
  const per_page = wholeNumber(query, 'per_page', usual, least, most);
  const page = wholeNumber(query, 'page', 1, 1, Number.MAX_SAFE_INTEGER);
  const result = rows.slice((page - 1) * per_page, page * per_page);
  const total_pages = Math.ceil(rows.length / per_page);
  return { result, result_info: { page, per_page, count: result.length, total_count: rows.length, total_pages } };
}
