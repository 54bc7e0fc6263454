const dayMs = 86_400_000

/** The day of UTC of a time in milliseconds since 1970: '2026-11-21'. */
export const utcDay = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** When the next day of UTC begins, in milliseconds since 1970. */
export const nextUtcDay = (now: number): number => (Math.floor(now / dayMs) + 1) * dayMs
