import { join } from 'node:path'
import { z } from 'zod'
import { KeptFile } from './kept-file.ts'

/** The DID of each oracle at its first visit, in `known-oracles.json`; local addresses are not stored. */
export class KnownOracles {
  readonly #file: KeptFile<Readonly<Record<string, string>>>

  constructor(folder: string) {
    const remedy = 'Fix it, or delete it to trust each oracle again at its next visit.'
    this.#file = new KeptFile(join(folder, 'known-oracles.json'), z.record(z.string(), z.string()), {}, remedy)
  }

  /** Returns the DID of an address at its first visit. Throws `configuration_invalid` when the file is damaged. */
  async find(url: string): Promise<string | undefined> {
    const known = await this.#file.read()
    return Object.hasOwn(known, url) ? known[url] : undefined
  }

  /** Stores the DID of an address, unless it is local. */
  async remember(url: string, did: string): Promise<void> {
    if (!isLoopback(url)) await this.#file.change(known => ({ ...known, [url]: did }))
  }
}

/** Returns whether an address is on this computer. */
export const isLoopback = (url: string): boolean =>
  URL.canParse(url) && /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
