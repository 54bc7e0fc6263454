/** One look at the memory of a process. */
export interface MemorySample {
  readonly turns: number
  /** Bytes. */
  readonly heapUsed: number
  /** Bytes. */
  readonly rss: number
}

/** The growth a turn of a quantity, by the least squares. */
export const growthPerTurn = (samples: readonly MemorySample[], of: (sample: MemorySample) => number): number => {
  const mean = (read: (sample: MemorySample) => number) =>
    samples.reduce((sum, sample) => sum + read(sample), 0) / samples.length
  const turns = mean(sample => sample.turns)
  const value = mean(of)
  const both = mean(sample => (sample.turns - turns) * (of(sample) - value))
  return both / mean(sample => (sample.turns - turns) ** 2)
}
