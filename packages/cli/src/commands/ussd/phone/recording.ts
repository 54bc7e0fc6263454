import { readFile } from 'node:fs/promises'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { codeOf } from '../../../errors/code-of.ts'
import { replaceFile } from '../../../home/through-draft.ts'
import { isPhoneNumber, isServiceCode } from './dial-formats.ts'
import type { UssdCall } from './ussd-call.ts'

const largestFile = 4_194_304

const exchange = z.strictObject({
  typed: z.string().max(1_000),
  kind: z.enum(['continue', 'end']),
  text: z.string().max(20_000),
})

const session = z.strictObject({
  serviceCode: z.string().refine(isServiceCode),
  phoneNumber: z.string().refine(isPhoneNumber),
  textMode: z.enum(['cumulative', 'last']),
  exchanges: z.array(exchange).min(1).max(1_000),
})

const recording = z.strictObject({ format: z.literal('sibyl-ussd-1'), sessions: z.array(session).max(1_000) })

/** Recorded sessions: the input and the screens. */
type Recording = z.infer<typeof recording>

export type RecordedSession = z.infer<typeof session>

/**
 * Reads a recording.
 *
 * @returns undefined when the file does not exist
 * @throws `usage_invalid` for a file that cannot be read or is not a recording
 */
export const readRecording = async (path: string): Promise<Recording | undefined> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const code = codeOf(cause) ?? 'unknown'
    if (code === 'ENOENT') return undefined
    throw cliErrors.usage_invalid(`That file cannot be read (${code}).`, 'Pass a file that sibyl ussd recorded.', {
      cause,
    })
  }
  const parsed = text.length > largestFile ? undefined : recording.safeParse(parseJson(text))
  if (parsed?.success) return parsed.data
  throw cliErrors.usage_invalid(
    'That file is not a recording of sibyl ussd.',
    'Name another: sibyl ussd --record <file> makes one.',
  )
}

/** Writes calls to a file while they run. Only its owner can read the file: the input contains PINs. */
export class Recorder {
  readonly #path: string
  readonly #calls = new Set<UssdCall>()

  private constructor(path: string) {
    this.#path = path
  }

  /**
   * Starts a recording, which replaces an existing one.
   *
   * @throws `usage_invalid` when the file is not a recording, or cannot be written
   */
  static async begin(path: string): Promise<Recorder> {
    await readRecording(path)
    const recorder = new Recorder(path)
    await recorder.#write()
    return recorder
  }

  /** Writes the exchanges of a call after the previous calls. */
  async keep(call: UssdCall): Promise<void> {
    this.#calls.add(call)
    await this.#write()
  }

  async #write(): Promise<void> {
    const sessions = [...this.#calls].map(({ facts, exchanges }) => ({
      ...facts,
      exchanges: exchanges.map(({ typed, reply: { kind, text } }) => ({ typed, kind, text })),
    }))
    const content: Recording = { format: 'sibyl-ussd-1', sessions }
    try {
      await replaceFile(this.#path, `${JSON.stringify(content, undefined, 2)}\n`)
    } catch (cause) {
      const code = codeOf(cause) ?? 'unknown'
      throw cliErrors.usage_invalid(`The recording cannot be written (${code}).`, 'Pass a file in a writable folder.', {
        cause,
      })
    }
  }
}
