import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { inTurn } from './in-turn.ts'
import { replaceFile } from './through-draft.ts'

const keptDelegation = z.object({
  /** The did:key of the oracle that it is for. */
  oracle: z.string(),
  /** The address at which it was accepted. */
  url: z.string(),
  /** The DID that it lets in. */
  audience: z.string(),
  issuer: z.string(),
  /** What it allows at the oracle. */
  abilities: z.array(z.string()),
  /** When the first token of its chain expires. */
  expiresAt: z.iso.datetime(),
  token: z.string(),
})

/** A delegation that lets the person in at an oracle. */
export type KeptDelegation = Readonly<z.infer<typeof keptDelegation>>

/** What the person was let in with, in `delegations.json` for its owner alone: one delegation an oracle. */
export class KeptDelegations {
  readonly #path: string

  constructor(folder: string) {
    this.#path = join(folder, 'delegations.json')
  }

  /** All of them, also those that have expired. Throws `configuration_invalid` when the file is damaged. */
  async list(): Promise<readonly KeptDelegation[]> {
    try {
      return z.array(keptDelegation).parse(JSON.parse(await readFile(this.#path, 'utf8')))
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
      const remedy = 'Mend it, or delete it and accept your delegations again.'
      throw cliErrors.configuration_invalid(`The file ${this.#path} is damaged.`, remedy, { cause })
    }
  }

  /** The one for an oracle, by its did:key, that lets this DID in; it may have expired. */
  async find(oracle: string, audience: string): Promise<KeptDelegation | undefined> {
    return (await this.list()).find(it => it.oracle === oracle && it.audience === audience)
  }

  /** Keeps one in the place of the earlier one for the same oracle. */
  async keep(delegation: KeptDelegation): Promise<void> {
    await inTurn(this.#path, async () => {
      const others = (await this.list()).filter(it => it.oracle !== delegation.oracle)
      await this.#write([...others, delegation])
    })
  }

  /**
   * Drops those for an oracle.
   *
   * @param oracle Its did:key, or the address at which they were accepted.
   * @returns how many there were
   */
  async drop(oracle: string): Promise<number> {
    const isOther = (it: KeptDelegation) => it.oracle !== oracle && it.url !== oracle
    if ((await this.list()).every(isOther)) return 0
    return inTurn(this.#path, async () => {
      const kept = await this.list()
      const others = kept.filter(isOther)
      await this.#write(others)
      return kept.length - others.length
    })
  }

  #write(delegations: readonly KeptDelegation[]): Promise<void> {
    return replaceFile(this.#path, `${JSON.stringify(delegations, null, 2)}\n`)
  }
}

/** Tells whether a delegation is still good by this computer's clock. */
export const isCurrent = ({ expiresAt }: KeptDelegation): boolean => Date.parse(expiresAt) > Date.now()
