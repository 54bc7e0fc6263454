import { join } from 'node:path'
import { z } from 'zod'
import { KeptFile } from './kept-file.ts'

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
  readonly #file: KeptFile<readonly KeptDelegation[]>

  constructor(folder: string) {
    const remedy = 'Fix it, or delete it and accept your delegations again.'
    this.#file = new KeptFile(join(folder, 'delegations.json'), z.array(keptDelegation), [], remedy)
  }

  /** All of them, also those that have expired. Throws `configuration_invalid` when the file is damaged. */
  list(): Promise<readonly KeptDelegation[]> {
    return this.#file.read()
  }

  /** The one for an oracle, by its did:key, that lets this DID in; it may have expired. */
  async find(oracle: string, audience: string): Promise<KeptDelegation | undefined> {
    return (await this.list()).find(it => it.oracle === oracle && it.audience === audience)
  }

  /** Keeps one in the place of the earlier one for the same oracle. */
  async keep(delegation: KeptDelegation): Promise<void> {
    await this.#file.change(kept => [...kept.filter(it => it.oracle !== delegation.oracle), delegation])
  }

  /**
   * Drops those for an oracle.
   *
   * @param oracle Its did:key, or the address at which they were accepted.
   * @returns how many there were
   */
  async drop(oracle: string): Promise<number> {
    const isMeant = (it: KeptDelegation) => it.oracle === oracle || it.url === oracle
    if (!(await this.list()).some(isMeant)) return 0
    return (await this.#file.change(kept => kept.filter(it => !isMeant(it)))).filter(isMeant).length
  }
}

/** Tells whether a delegation is still good by this computer's clock. */
export const isCurrent = ({ expiresAt }: KeptDelegation): boolean => Date.parse(expiresAt) > Date.now()
