// For --import: the process's wall clock is as far ahead as its parent says. Timers do not follow the wall clock, as in a
// real jump. Two jobs of the oracle that run once a minute run five times a second here, by name: a shorter clock for all
// timers of a minute would shorten the time limits of model calls too.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource(
  [
    {
      file: 'packages/core/src/recovery/housekeeping.ts',
      find: 'const forgetIntervalMs = 60_000',
      replace: 'const forgetIntervalMs = 200',
    },
    {
      file: 'packages/core/src/recovery/housekeeping.ts',
      find: 'chore().catch(',
      replace: 'chore().finally(() => intervalMs === forgetIntervalMs && process.send?.({ cleaned: true })).catch(',
    },
    {
      file: 'packages/storage/src/jobs/open-jobs.ts',
      find: 'sqlite: 60_000',
      replace: 'sqlite: 200',
    },
  ],
  'hastened',
)

const RealDate = Date
let aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)

process.on('message', (message: { readonly aheadMs?: number }) => {
  if (message.aheadMs === undefined) return
  aheadMs = message.aheadMs
  process.send?.({ jumped: aheadMs })
})

globalThis.Date = class extends RealDate {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + aheadMs] : given) as [number]))
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
} as DateConstructor
