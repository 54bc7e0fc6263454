/** The day of UTC: '2026-11-22'. @param at milliseconds since 1970 */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** When the next day of UTC begins, in milliseconds since 1970. */
export const nextUtcDay = (at: number): number => (Math.floor(at / 86_400_000) + 1) * 86_400_000
