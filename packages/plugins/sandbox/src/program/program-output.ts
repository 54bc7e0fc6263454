import { programLimits } from './program-messages.ts'

const flushCharacters = 8_000
const flushMs = 10

/** What a program prints. */
export interface ProgramOutput {
  print(line: string): void
  flush(): void
}

/**
 * Collects lines up to the cap and hands them on a few at a time, so that what was printed is known also when the thread is ended
 * in the middle.
 */
export const createOutput = (tell: (text: string) => void): ProgramOutput => {
  let left: number = programLimits.outputCharacters
  let pending = ''
  let toldAt = 0
  const flush = () => {
    if (pending !== '') tell(pending)
    pending = ''
    toldAt = performance.now()
  }
  return {
    print: line => {
      if (left <= 0) return
      const text = `${line}\n`.slice(0, left)
      left -= text.length
      pending += left > 0 ? text : `${text}\n… the rest is cut`
      if (pending.length >= flushCharacters || performance.now() - toldAt >= flushMs) flush()
    },
    flush,
  }
}
