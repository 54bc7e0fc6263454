// For --import: the process's wall clock is as far ahead as its parent says, and chores of a minute come five times a second.
// Timers run on as they do in a real jump: they do not go by the wall clock.
const RealDate = Date
let aheadMs = 0

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

const isMinute = (ms: number | undefined) => ms !== undefined && ms > 55_000 && ms <= 60_000
const choreMs = 200
const { setTimeout: later, setInterval: again } = globalThis
globalThis.setTimeout = ((run: () => void, ms?: number, ...given: []) =>
  later(run, isMinute(ms) ? choreMs : ms, ...given)) as typeof setTimeout
globalThis.setInterval = ((run: () => void, ms?: number, ...given: []) =>
  again(run, isMinute(ms) ? choreMs : ms, ...given)) as typeof setInterval
