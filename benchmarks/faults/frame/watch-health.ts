import type { OracleProcess } from './start-oracle.ts'

const everyMs = 20

/** Times of the answers of an oracle, in milliseconds. */
export interface HealthTimes {
  /** 95 of 100 answers took at most as long. */
  readonly p95: number
  readonly longest: number
}

/**
 * Asks for the health of an oracle while something runs, 50 times a second, as often also while it does not answer; returns how
 * long the answers took.
 */
export const watchHealth = async (
  { url }: Pick<OracleProcess, 'url'>,
  work: () => Promise<unknown>,
): Promise<HealthTimes> => {
  const took: number[] = []
  const asked: Promise<void>[] = []
  const ask = async () => {
    const from = performance.now()
    await fetch(`${url}/health`)
      .then(response => response.text())
      .catch(() => '')
    took.push(performance.now() - from)
  }
  const asking = setInterval(() => asked.push(ask()), everyMs)
  await work().finally(() => clearInterval(asking))
  await Promise.all(asked)
  took.sort((one, other) => one - other)
  return { p95: Math.round(took[Math.floor(took.length * 0.95)] ?? 0), longest: Math.round(took.at(-1) ?? 0) }
}
