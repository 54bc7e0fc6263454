import type { OracleProcess } from './start-oracle.ts'

const everyMs = 5

/** Asks for the health of an oracle while something runs; returns how long each answer took, in milliseconds, in order of size. */
export const watchHealth = async (oracle: OracleProcess, work: () => Promise<unknown>): Promise<number[]> => {
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
  return took.toSorted((one, other) => one - other)
}
