import type { CountsRecord } from '@sibyl/plugin-ussd/records'

/** Counts of a screen, or of a day. */
export type Counts = Omit<CountsRecord['days'][number], 'day'>

export const noCounts: Counts = { entered: 0, continued: 0, endedByFlow: 0, endedByUser: 0, timedOut: 0, errors: 0 }

/** Measures that the heat can show. */
export const metrics = ['stops', 'exits', 'timeOuts', 'errors'] as const

export type Metric = (typeof metrics)[number]

/** Returns the number of sessions that a metric counts. */
export const countOf = ({ endedByUser, timedOut, errors }: Counts, metric: Metric): number => {
  switch (metric) {
    case 'stops':
      return endedByUser + timedOut + errors
    case 'exits':
      return endedByUser
    case 'timeOuts':
      return timedOut
    case 'errors':
      return errors
  }
}

/** Returns the share of a metric among the times that the screen was shown; at most 1. */
export const shareOf = (counts: Counts, metric: Metric): number => {
  const count = countOf(counts, metric)
  return count === 0 ? 0 : Math.min(1, count / Math.max(1, counts.entered))
}

/** Lower limits of the heat levels above none. */
export const heatLimits = [0, 0.05, 0.15, 0.3] as const

/** A level of heat: 0 for none, to 4. */
export type Heat = 0 | 1 | 2 | 3 | 4

/** Returns the level of a share. */
export const heatOf = (share: number): Heat => {
  if (share <= 0) return 0
  return heatLimits.filter(limit => share >= limit).length as Heat
}
