import { join } from 'node:path'
import { z } from 'zod'
import { KeptFile } from './kept-file.ts'

/** Which DID each oracle had at the first visit, in `known-oracles.json`; addresses of this computer are not kept. */
export class KnownOracles {
  readonly #file: KeptFile<Readonly<Record<string, string>>>

  constructor(folder: string) {
    const remedy = 'Fix it, or delete it to trust each oracle again at its next visit.'
    this.#file = new KeptFile(join(folder, 'known-oracles.json'), z.record(z.string(), z.string()), {}, remedy)
  }

  /** The DID that an address had at the first visit. Throws `configuration_invalid` when the file is damaged. */
  async find(url: string): Promise<string | undefined> {
    const known = await this.#file.read()
    return Object.hasOwn(known, url) ? known[url] : undefined
  }

  /** Keeps the DID of an address, unless it is on this computer. */
  async remember(url: string, did: string): Promise<void> {
    if (!isLoopback(url)) await this.#file.change(known => ({ ...known, [url]: did }))
  }
}

const isLoopback = (url: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
