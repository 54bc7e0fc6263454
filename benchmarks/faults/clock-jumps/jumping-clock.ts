// For --import: the process's wall clock is as far ahead as its parent says. Timers do not follow the wall clock, as in a
// real jump.
import './hastened-jobs.ts'

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
