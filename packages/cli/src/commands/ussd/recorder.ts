import { cliErrors } from '../../errors/cli-errors.ts'
import { replaceFile } from '../../home/replace-file.ts'
import { type Recording, readRecording } from './recording.ts'
import type { UssdCall } from './ussd-call.ts'

/** Writes calls to a file while they go on. The file is for its owner alone: PINs are typed as well. */
export class Recorder {
  readonly #path: string
  readonly #calls = new Set<UssdCall>()

  private constructor(path: string) {
    this.#path = path
  }

  /**
   * Begins a recording, in the place of one that is there.
   *
   * @throws `usage_invalid` when the file is something else, or cannot be written
   */
  static async begin(path: string): Promise<Recorder> {
    await readRecording(path)
    const recorder = new Recorder(path)
    await recorder.#write()
    return recorder
  }

  /** Writes what was said in a call, beside the calls before. */
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
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
      throw cliErrors.usage_invalid(`The recording cannot be written (${code}).`, 'Name a file in a folder of yours.', {
        cause,
      })
    }
  }
}
