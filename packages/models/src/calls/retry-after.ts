/**
 * Reads how long a provider asks to be left alone: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date
 * (RFC 9110, section 10.2.3). What is neither, such as a negative number, counts as not said.
 *
 * @param headers Names in lower case.
 * @param now Milliseconds since 1970.
 * @returns Milliseconds from now on, 0 for a moment that has passed; of any size.
 */
export const retryAfterMs = (
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined => {
  const precise = headers['retry-after-ms']?.trim()
  if (precise !== undefined && digits.test(precise)) return Number(precise)
  const said = headers['retry-after']?.trim()
  if (said === undefined) return undefined
  if (digits.test(said)) return Number(said) * 1000
  const moment = httpDate.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}

const digits = /^\d{1,300}(\.\d{1,300})?$/
const httpDate = /^[A-Z][a-z]{2,8},? [\w:, -]{10,40}$/
