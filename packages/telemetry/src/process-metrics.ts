import { EventLoopDelay } from './event-loop-delay.ts'
import type { MetricsRegistry, Sample } from './metrics-registry.ts'

const quantiles = ['0.5', '0.9', '0.99'] as const

/** Metrics of the process: version, memory, CPU time, and delay of the event loop. */
export class ProcessMetrics {
  readonly #eventLoop = new EventLoopDelay()

  /** @param version The version of Sibyl. */
  constructor(registry: MetricsRegistry, version: string) {
    addProcess(registry, version)
    registry.collected({
      type: 'summary',
      name: 'sibyl_event_loop_delay_seconds',
      help: 'Delay of timers since these metrics were last read.',
      labels: ['quantile'],
      collect: () => {
        const delay = this.#eventLoop.take()
        return delay ? quantiles.map((name): Sample => [[name], delay[name]]) : []
      },
    })
  }

  /** Measures no more. */
  stop(): void {
    this.#eventLoop.stop()
  }
}

const addProcess = (registry: MetricsRegistry, version: string): void => {
  registry.collected({
    type: 'gauge',
    name: 'sibyl_build_info',
    help: 'The version of Sibyl and of Node.',
    labels: ['version', 'node'],
    collect: () => [[[version, process.versions.node], 1]],
  })
  registry.collected({
    type: 'gauge',
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    collect: () => [[[], process.memoryUsage.rss()]],
  })
  registry.collected({
    type: 'gauge',
    name: 'nodejs_heap_size_used_bytes',
    help: 'Used heap of V8.',
    collect: () => [[[], process.memoryUsage().heapUsed]],
  })
  registry.collected({
    type: 'counter',
    name: 'process_cpu_seconds_total',
    help: 'CPU time, user and system.',
    collect: () => [[[], (process.cpuUsage().user + process.cpuUsage().system) / 1e6]],
  })
  registry.collected({
    type: 'gauge',
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    collect: () => [[[], Math.round(performance.timeOrigin / 1000)]],
  })
}
