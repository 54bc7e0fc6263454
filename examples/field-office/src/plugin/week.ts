const day = 86_400_000

/** A week of ISO 8601, in UTC. */
export interface Week {
  /** `2026-W47`. */
  readonly name: string
  /** Its Monday at midnight, in milliseconds since 1970. */
  readonly from: number
  /** The Monday after it. */
  readonly to: number
}

/** The week of a time. @param at milliseconds since 1970 */
export const weekOf = (at: number): Week => {
  const midnight = Math.floor(at / day) * day
  const monday = midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * day
  const year = new Date(monday + 3 * day).getUTCFullYear()
  const fourth = Date.UTC(year, 0, 4)
  const first = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * day
  const number = 1 + Math.round((monday - first) / (7 * day))
  return { name: `${year}-W${String(number).padStart(2, '0')}`, from: monday, to: monday + 7 * day }
}
