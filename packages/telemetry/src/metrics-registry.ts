/** The most series that one metric may have; what comes after is counted under `other`. */
const maxSeries = 500

/** A metric that only grows. */
export interface Counter {
  /** @param labels Values in the order of the metric's label names. */
  add(labels: readonly string[], by?: number): void
}

/** A metric of sizes or durations. */
export interface Histogram {
  /** @param labels Values in the order of the metric's label names. */
  observe(labels: readonly string[], value: number): void
}

export type Sample = readonly [labels: readonly string[], value: number]

/** The name and description of a metric. */
export interface MetricOptions {
  /** With its unit, as Prometheus has it: `sibyl_turn_duration_seconds`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** A metric whose values are collected when the metrics are read. */
export interface CollectedOptions extends MetricOptions {
  readonly type: 'gauge' | 'counter' | 'summary'
  /** A value that cannot be had is left out. */
  collect(): readonly Sample[] | Promise<readonly Sample[]>
}

interface Metric {
  write(): string | Promise<string>
}

/**
 * Counts in memory, and writes what it counted in the text format of Prometheus (version 0.0.4). Label values come from
 * closed lists or are bounded here, so that no caller can make it grow without end.
 */
export class MetricsRegistry {
  readonly #metrics: Metric[] = []

  /** Adds a counter. */
  counter(options: MetricOptions): Counter {
    const series = new Series(options, () => ({ sum: 0 }))
    this.#metrics.push({
      write: () =>
        head(options, 'counter') +
        series
          .list()
          .map(([labels, { sum }]) => sample(options.name, options.labels, labels, sum))
          .join(''),
    })
    return {
      add(labels, by = 1) {
        series.of(labels).sum += by
      },
    }
  }

  /** Adds a histogram. @param buckets Upper bounds, ascending. */
  histogram(options: MetricOptions, buckets: readonly number[]): Histogram {
    const series = new Series(options, () => ({ counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 }))
    this.#metrics.push({
      write: () =>
        head(options, 'histogram') +
        series
          .list()
          .map(([labels, cell]) => histogramText(options, buckets, labels, cell))
          .join(''),
    })
    return {
      observe(labels, value) {
        const cell = series.of(labels)
        const bucket = buckets.findIndex(bound => value <= bound)
        const place = bucket < 0 ? buckets.length : bucket
        cell.counts[place]! += 1
        cell.sum += value
      },
    }
  }

  /** Adds a metric whose values are collected when they are read. */
  collected(options: CollectedOptions): void {
    this.#metrics.push({
      async write() {
        const samples = await collect(options)
        if (samples.length === 0) return ''
        return (
          head(options, options.type) +
          samples.map(([labels, value]) => sample(options.name, options.labels, labels, value)).join('')
        )
      },
    })
  }

  /** All metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    return (await Promise.all(this.#metrics.map(metric => metric.write()))).join('')
  }
}

const collect = async (options: CollectedOptions): Promise<readonly Sample[]> => {
  try {
    return await options.collect()
  } catch {
    return []
  }
}

/** The cells of one metric by their labels' values. */
class Series<Cell> {
  readonly #cells = new Map<string, readonly [readonly string[], Cell]>()
  readonly #make: () => Cell
  readonly #width: number

  constructor({ labels = [] }: MetricOptions, make: () => Cell) {
    this.#make = make
    this.#width = labels.length
    if (labels.length === 0) this.of([])
  }

  of(labels: readonly string[]): Cell {
    const key = labels.length === 1 ? labels[0]! : labels.join('\n')
    const known = this.#cells.get(key)
    if (known) return known[1]
    if (this.#cells.size >= maxSeries && labels.some(label => label !== 'other')) {
      return this.of(new Array<string>(this.#width).fill('other'))
    }
    const cell = this.#make()
    this.#cells.set(key, [[...labels], cell])
    return cell
  }

  list(): (readonly [readonly string[], Cell])[] {
    return [...this.#cells.values()]
  }
}

const histogramText = (
  { name, labels = [] }: MetricOptions,
  buckets: readonly number[],
  values: readonly string[],
  { counts, sum }: { readonly counts: readonly number[]; readonly sum: number },
): string => {
  let total = 0
  const lines = counts.map((count, index) => {
    total += count
    const bound = index < buckets.length ? String(buckets[index]) : '+Inf'
    return sample(`${name}_bucket`, [...labels, 'le'], [...values, bound], total)
  })
  return lines.join('') + sample(`${name}_sum`, labels, values, sum) + sample(`${name}_count`, labels, values, total)
}

const head = ({ name, help }: MetricOptions, type: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

const sample = (
  name: string,
  labels: readonly string[] | undefined,
  values: readonly string[],
  value: number,
): string => {
  const pairs = (labels ?? []).map((label, index) => `${label}="${escaped(values[index] ?? '')}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

const escaped = (value: string): string =>
  value.slice(0, 120).replace(/[\\"\n]/g, character => (character === '\n' ? '\\n' : `\\${character}`))
