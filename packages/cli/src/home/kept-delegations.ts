import { join } from 'node:path'
import { z } from 'zod'
import { KeptFile } from './kept-file.ts'

const keptDelegation = z.object({
  /** The did:key of its oracle. */
  oracle: z.string(),
  /** The address at which it was accepted. */
  url: z.string(),
  /** The DID that receives the access. */
  audience: z.string(),
  issuer: z.string(),
  /** The granted abilities. */
  abilities: z.array(z.string()),
  /** When the first token of its chain expires. */
  expiresAt: z.iso.datetime(),
  token: z.string(),
})

/** A stored delegation that grants the user access to an oracle. */
export type KeptDelegation = Readonly<z.infer<typeof keptDelegation>>

/** The delegations of the user, in `delegations.json` for its owner alone: one per oracle. */
export class KeptDelegations {
  readonly #file: KeptFile<readonly KeptDelegation[]>

  constructor(folder: string) {
    const remedy = 'Fix it, or delete it and accept your delegations again.'
    this.#file = new KeptFile(join(folder, 'delegations.json'), z.array(keptDelegation), [], remedy)
  }

  /** Returns all of them, including expired ones. Throws `configuration_invalid` when the file is damaged. */
  list(): Promise<readonly KeptDelegation[]> {
    return this.#file.read()
  }

  /** Returns the one for an oracle and this audience, by did:key; it may be expired. */
  async find(oracle: string, audience: string): Promise<KeptDelegation | undefined> {
    return (await this.list()).find(it => it.oracle === oracle && it.audience === audience)
  }

  /** Stores one, which replaces the previous one for the same oracle. */
  async keep(delegation: KeptDelegation): Promise<void> {
    await this.#file.change(kept => [...kept.filter(it => it.oracle !== delegation.oracle), delegation])
  }

  /**
   * Removes those for an oracle.
   *
   * @param oracle Its did:key, or the address at which they were accepted.
   * @returns the number of removed ones
   */
  async drop(oracle: string): Promise<number> {
    const matches = (it: KeptDelegation) => it.oracle === oracle || it.url === oracle
    if (!(await this.list()).some(matches)) return 0
    return (await this.#file.change(kept => kept.filter(it => !matches(it)))).filter(matches).length
  }
}

/** Returns whether a delegation is still valid by the clock of this computer. */
export const isCurrent = ({ expiresAt }: KeptDelegation): boolean => Date.parse(expiresAt) > Date.now()
