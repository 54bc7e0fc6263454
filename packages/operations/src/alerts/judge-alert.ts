import type { AlertRow } from '@sibyl/core/ports'

/** The state of an alert after a check. */
export interface AlertVerdict {
  readonly state: 'ok' | 'firing'
  readonly since: number | null
  readonly notified: boolean
  readonly notifiedAt: number | null
  /** The entry for the history, if any. */
  readonly event?: { readonly kind: 'fired' | 'resolved'; readonly isNotified: boolean }
}

/** Checks of consecutive minutes may be a few seconds less apart. */
const slackMs = 10_000

/**
 * Decides the state of an alert by a value. A firing is notified unless the quiet period of an earlier one runs; if it
 * still fires when that ends, it is notified then. A resolution is notified if the firing was.
 *
 * @param value undefined if it is missing, such as the duration of no turns: never beyond a threshold.
 * @param isWindowed The value is already one of the last `minutes`.
 */
export const judgeAlert = (
  alert: Pick<
    AlertRow,
    'comparison' | 'threshold' | 'minutes' | 'quietMinutes' | 'state' | 'since' | 'notified' | 'notifiedAt'
  >,
  value: number | undefined,
  isWindowed: boolean,
  now: number,
): AlertVerdict => {
  const { state, notified, notifiedAt } = alert
  const isBeyond =
    value !== undefined && (alert.comparison === 'above' ? value > alert.threshold : value < alert.threshold)
  if (!isBeyond) {
    const event = { kind: 'resolved', isNotified: notified } as const
    return { state: 'ok', since: null, notified: false, notifiedAt, ...(state === 'firing' ? { event } : {}) }
  }
  const since = alert.since ?? now
  const isDue = isWindowed || state === 'firing' || now - since >= (alert.minutes - 1) * 60_000 - slackMs
  if (!isDue) return { state: 'ok', since, notified: false, notifiedAt }
  const isQuiet = notifiedAt !== null && now - notifiedAt < alert.quietMinutes * 60_000
  if (state === 'firing' && (notified || isQuiet)) return { state, since, notified, notifiedAt }
  return {
    state: 'firing',
    since,
    notified: !isQuiet,
    notifiedAt: isQuiet ? notifiedAt : now,
    event: { kind: 'fired', isNotified: !isQuiet },
  }
}
