import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { inTurn } from './in-turn.ts'
import { replaceFile } from './through-draft.ts'

const knownOraclesFile = z.record(z.string(), z.string())

/** Which DID each oracle had at the first visit, in `known-oracles.json`; addresses of this computer are not kept. */
export class KnownOracles {
  readonly #path: string

  constructor(folder: string) {
    this.#path = join(folder, 'known-oracles.json')
  }

  /** The DID that an address had at the first visit. Throws `configuration_invalid` when the file is damaged. */
  async find(url: string): Promise<string | undefined> {
    return (await this.#read()).get(url)
  }

  /** Keeps the DID of an address, unless it is on this computer. */
  async remember(url: string, did: string): Promise<void> {
    if (isLoopback(url)) return
    await inTurn(this.#path, async () => {
      const known = (await this.#read()).set(url, did)
      await replaceFile(this.#path, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`)
    })
  }

  async #read(): Promise<Map<string, string>> {
    try {
      return new Map(Object.entries(knownOraclesFile.parse(JSON.parse(await readFile(this.#path, 'utf8')))))
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return new Map()
      const remedy = 'Mend it, or delete it to trust each oracle anew at the next visit.'
      throw cliErrors.configuration_invalid(`The file ${this.#path} is damaged.`, remedy, { cause })
    }
  }
}

const isLoopback = (url: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
