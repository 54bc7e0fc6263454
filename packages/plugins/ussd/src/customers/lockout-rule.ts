/** How wrong attempts lock. */
export interface LockoutRule {
  /** How many may be wrong before the first lock. */
  readonly free: number
  /** How long the first lock lasts, in milliseconds; each further wrong attempt locks for twice as long. */
  readonly firstLockMs: number
  /** The longest lock, in milliseconds. */
  readonly longestLockMs: number
}

const hour = 3_600_000

/** PINs: five wrong ones lock for 15 minutes. */
export const pinRule: LockoutRule = { free: 5, firstLockMs: hour / 4, longestLockMs: 24 * hour }

/** One-time codes by SMS: after three that nobody used, the next one may be asked for an hour later. */
export const resetCodeRule: LockoutRule = { free: 3, firstLockMs: hour, longestLockMs: 24 * hour }

/** How far the clocks of processes may be apart; a time further ahead was set by a clock that was wrong. In milliseconds. */
export const clockToleranceMs = 300_000

/** How long so many unforgiven attempts lock, from the last one on, in milliseconds. */
export const lockMs = ({ free, firstLockMs, longestLockMs }: LockoutRule, failures: number): number =>
  failures < free ? 0 : Math.min(longestLockMs, firstLockMs * 2 ** Math.min(failures - free, 30))
