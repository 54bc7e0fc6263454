/** A limit of requests in a minute, as the headers of every response have it. */
export interface RateLimit {
  readonly limit: number
  readonly left: number
  /** Seconds until all are left again. */
  readonly seconds: number
}

/**
 * Reads a limit from the headers `RateLimit-Policy` and `RateLimit`; undefined if requests are not limited.
 *
 * @param name `did` or `address`
 */
export const readRateLimit = (headers: Headers, name: string): RateLimit | undefined => {
  const limit = parameterOf(headers.get('ratelimit-policy'), name, 'q')
  const left = parameterOf(headers.get('ratelimit'), name, 'r')
  const seconds = parameterOf(headers.get('ratelimit'), name, 't') ?? 0
  return limit === undefined || left === undefined || limit === 0 ? undefined : { limit, left, seconds }
}

const parameterOf = (header: string | null, name: string, parameter: string): number | undefined => {
  const entry = header?.split(',').find(text => text.trim().startsWith(`"${name}"`))
  const value = entry?.match(new RegExp(`;${parameter}=(\\d+)`))?.[1]
  return value === undefined ? undefined : Number(value)
}
