import { join } from 'node:path'
import { impersonationAbility } from '@sibyl/identity'
import { z } from 'zod'
import { KeptFile } from './kept-file.ts'

/** The method of a login: signed by a phone, or by an encrypted key of the keystore. */
const loginMethods = ['qr', 'key'] as const

const keptLogin = z.object({
  /** The DID of the registry. */
  registry: z.string(),
  /** The address of the registry. */
  url: z.string(),
  /** For display: `the devnet on this computer`. */
  title: z.string(),
  /** The DID that signed, for which this computer acts. */
  controller: z.string(),
  method: z.enum(loginMethods),
  /** The name of the key in the keystore, with the method `key`. */
  keyName: z.string().optional(),
  /** The DID of the key of this computer, the audience. */
  audience: z.string(),
  /** The granted abilities: `entities/*`, `auth/impersonate`. */
  abilities: z.array(z.string()),
  delegation: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  expiresAt: z.iso.datetime(),
})

/** A stored login: a delegation to act at a registry for a controller, for some hours. */
export type KeptLogin = Readonly<z.infer<typeof keptLogin>>

/** The logins of the user, in `logins.json` for its owner alone: one per registry and controller. */
export class KeptLogins {
  readonly #file: KeptFile<readonly KeptLogin[]>

  constructor(folder: string) {
    const remedy = 'Fix it, or delete it and sign in again: sibyl login'
    this.#file = new KeptFile(join(folder, 'logins.json'), z.array(keptLogin), [], remedy)
  }

  /** Returns all of them, including expired ones. Throws `configuration_invalid` when the file is damaged. */
  list(): Promise<readonly KeptLogin[]> {
    return this.#file.read()
  }

  /**
   * Returns the newest valid one at a registry.
   *
   * @param registry Its DID.
   * @param audience The DID of the key of this computer.
   * @param controller The DID that must have signed. @default any
   */
  async find(registry: string, audience: string, controller?: string): Promise<KeptLogin | undefined> {
    return (await this.list()).findLast(
      it =>
        it.registry === registry &&
        it.audience === audience &&
        (controller === undefined || it.controller === controller) &&
        isCurrentLogin(it),
    )
  }

  /** Stores one, which replaces the previous one of the same controller at the same registry. */
  async keep(login: KeptLogin): Promise<void> {
    const isAnother = (it: KeptLogin) => it.registry !== login.registry || it.controller !== login.controller
    await this.#file.change(kept => [...kept.filter(isAnother), login])
  }

  /** Removes the matching ones, and returns them. */
  async drop(fits: (login: KeptLogin) => boolean): Promise<readonly KeptLogin[]> {
    if (!(await this.list()).some(fits)) return []
    return (await this.#file.change(kept => kept.filter(login => !fits(login)))).filter(fits)
  }
}

/** Returns whether a login is still valid by the clock of this computer. */
export const isCurrentLogin = ({ expiresAt }: Pick<KeptLogin, 'expiresAt'>): boolean =>
  Date.parse(expiresAt) > Date.now()

/** The abilities of a login at a registry: entities, and impersonation of the signer. */
export const loginAbilities = ['entities/*', impersonationAbility] as const

/** Checks whether a login authorizes this computer to act as its controller. Logins of earlier versions do not. */
export const actsAsController = ({ abilities }: Pick<KeptLogin, 'abilities'>): boolean =>
  abilities.includes(impersonationAbility)
