import { ProblemError } from '../errors/request-errors.ts'

/**
 * Lead of the clock of an invocation after a restore, in milliseconds: it begins 30 s before that clock, and an oracle accepts a
 * start at most 60 s ahead. So it was not acceptable before the last 5 s, and clocks may differ by 5 s.
 */
const leadMs = 85_000
const pauseMs = 2_000
const maxTries = 5

/**
 * Sends a request. If the oracle rejects its invocation because it may have been used before the database was restored, sends it
 * again with one that could not: it begins later.
 *
 * @param send Called with the lead of the clock of its invocation, in milliseconds.
 */
export const acrossRestore = async <Result>(send: (aheadMs: number) => Promise<Result>): Promise<Result> => {
  let rejection: unknown
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(rejection === undefined ? 0 : leadMs)
    } catch (error) {
      const code = error instanceof ProblemError ? error.code : ''
      // The clock of this computer is more than 5 s ahead of that of the oracle.
      if (rejection !== undefined && code === 'ucan_not_yet_valid') throw rejection
      if (code !== 'ucan_before_restore' || tries === maxTries) throw error
      if (rejection !== undefined) await new Promise(resolve => setTimeout(resolve, pauseMs))
      rejection = error
    }
  }
}
