import { programLimits } from './program-messages.ts'

const flushCharacters = 8_000
const flushMs = 10

/**
 * Collects lines up to the limit and passes them on in small batches, so that the output is available even if the
 * thread is terminated.
 */
export const createOutput = (report: (text: string) => void) => {
  let left: number = programLimits.outputCharacters
  let pending = ''
  let reportedAt = 0
  const flush = () => {
    if (pending !== '') report(pending)
    pending = ''
    reportedAt = performance.now()
  }
  return {
    print: (line: string): void => {
      if (left <= 0) return
      const text = `${line}\n`.slice(0, left)
      left -= text.length
      pending += left > 0 ? text : `${text}\n… truncated`
      if (pending.length >= flushCharacters || performance.now() - reportedAt >= flushMs) flush()
    },
    flush,
  }
}
