import type { OracleProcess } from './start-oracle.ts'

const everyMs = 5

/** Times of the answers of an oracle, in milliseconds. */
export interface HealthTimes {
  /** 95 of 100 answers took at most as long. */
  readonly p95: number
  readonly longest: number
}

/** Asks for the health of an oracle while something runs; returns how long the answers took. */
export const watchHealth = async (oracle: OracleProcess, work: () => Promise<unknown>): Promise<HealthTimes> => {
  const took: number[] = []
  const working = work().finally(() => {
    isOver = true
  })
  let isOver = false
  while (!isOver && oracle.alive) {
    const from = performance.now()
    await fetch(`${oracle.url}/health`)
      .then(response => response.text())
      .catch(() => '')
    took.push(performance.now() - from)
    await new Promise(waited => setTimeout(waited, everyMs))
  }
  await working
  took.sort((one, other) => one - other)
  return { p95: Math.round(took[Math.floor(took.length * 0.95)] ?? 0), longest: Math.round(took.at(-1) ?? 0) }
}
