import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Delays of timers by quantile, in seconds. */
export type DelayQuantiles = Readonly<Record<'0.5' | '0.9' | '0.99', number>>

/** The interval of the measurement, in milliseconds. */
const resolution = 20
/** Time without a read after which the measurement stops, in milliseconds. */
const idleMs = 600_000

/** The delay of the event loop, measured from the first read on, as long as it is read. */
export class EventLoopDelay {
  #histogram: ReturnType<typeof monitorEventLoopDelay> | undefined
  #idle: NodeJS.Timeout | undefined

  /** Returns the delays since the last read; undefined in the first one. */
  take(): DelayQuantiles | undefined {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.stop(), idleMs).unref()
    if (!this.#histogram) {
      this.#histogram = monitorEventLoopDelay({ resolution })
      this.#histogram.enable()
      return undefined
    }
    const histogram = this.#histogram
    if (histogram.count === 0) return undefined
    const at = (percentile: number) => Math.max(0, (histogram.percentile(percentile) / 1e6 - resolution) / 1e3)
    const delays = { '0.5': at(50), '0.9': at(90), '0.99': at(99) }
    histogram.reset()
    return delays
  }

  /** Ends the measurement. */
  stop(): void {
    clearTimeout(this.#idle)
    this.#histogram?.disable()
    this.#histogram = undefined
  }
}
