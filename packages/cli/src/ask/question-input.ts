import { PassThrough } from 'node:stream'
import type { InputStream } from '../command-io.ts'

/** What may come at once, in bytes; 24 words have less than 220. */
const longestPiece = 1_024

/** What is typed at one question. */
export interface QuestionInput {
  readonly input: InputStream
  /** Reads no more. */
  release(): void
}

/**
 * Passes on what is typed, but for a paste that is too long for an answer: a question draws itself anew at each character,
 * and would take minutes for it.
 */
export const openQuestionInput = (stdin: InputStream): QuestionInput => {
  const input = Object.assign(new PassThrough(), {
    isTTY: stdin.isTTY === true,
    setRawMode: (raw: boolean) => stdin.setRawMode?.(raw),
  })
  const passOn = (bytes: Buffer | string) => {
    if (bytes.length <= longestPiece) input.write(bytes)
  }
  // Who comes back from a Ctrl-Z goes on: readline waits then to be told.
  input.on('pause', () => setImmediate(() => input.destroyed || input.resume()))
  stdin.on('data', passOn).resume()
  return {
    input,
    release() {
      stdin.pause().off('data', passOn)
      input.destroy()
    },
  }
}
