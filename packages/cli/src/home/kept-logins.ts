import { join } from 'node:path'
import { impersonationAbility } from '@sibyl/identity'
import { z } from 'zod'
import { KeptFile } from './kept-file.ts'

/** How a login came about: a phone signed it, or an encrypted key of this computer's keystore. */
const loginMethods = ['qr', 'key'] as const

const keptLogin = z.object({
  /** The DID of the registry where it is good. */
  registry: z.string(),
  /** The address at which the registry answered. */
  url: z.string(),
  /** For people: `the devnet on this computer`. */
  title: z.string(),
  /** The DID that signed, in whose name this computer acts. */
  controller: z.string(),
  method: z.enum(loginMethods),
  /** The name of the key in the keystore, with the method `key`. */
  keyName: z.string().optional(),
  /** The DID of this computer's key, which received the right. */
  audience: z.string(),
  /** What the right allows: `entities/*`, `auth/impersonate`. */
  abilities: z.array(z.string()),
  delegation: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  expiresAt: z.iso.datetime(),
})

/** A right to act at a registry in somebody's name, for some hours. */
export type KeptLogin = Readonly<z.infer<typeof keptLogin>>

/** Where the person is signed in, in `logins.json` for its owner alone: one login a registry and controller. */
export class KeptLogins {
  readonly #file: KeptFile<readonly KeptLogin[]>

  constructor(folder: string) {
    const remedy = 'Fix it, or delete it and sign in again: sibyl login'
    this.#file = new KeptFile(join(folder, 'logins.json'), z.array(keptLogin), [], remedy)
  }

  /** All of them, also those that have ended. Throws `configuration_invalid` when the file is damaged. */
  list(): Promise<readonly KeptLogin[]> {
    return this.#file.read()
  }

  /**
   * The newest current one at a registry.
   *
   * @param registry Its DID.
   * @param audience The DID of this computer's key.
   * @param controller The DID that must have signed. @default anybody
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

  /** Keeps one in the place of the earlier one of the same controller at the same registry. */
  async keep(login: KeptLogin): Promise<void> {
    const isAnother = (it: KeptLogin) => it.registry !== login.registry || it.controller !== login.controller
    await this.#file.change(kept => [...kept.filter(isAnother), login])
  }

  /** Drops those that fit, and returns them. */
  async drop(fits: (login: KeptLogin) => boolean): Promise<readonly KeptLogin[]> {
    if (!(await this.list()).some(fits)) return []
    return (await this.#file.change(kept => kept.filter(login => !fits(login)))).filter(fits)
  }
}

/** Tells whether a login is still good by this computer's clock. */
export const isCurrentLogin = ({ expiresAt }: Pick<KeptLogin, 'expiresAt'>): boolean =>
  Date.parse(expiresAt) > Date.now()

/** The abilities of a login at a registry: entities, in the name of whoever signs. */
export const loginAbilities = ['entities/*', impersonationAbility] as const

/** Checks whether a login lets this computer act as its controller. Logins of earlier versions do not. */
export const actsAsController = ({ abilities }: Pick<KeptLogin, 'abilities'>): boolean =>
  abilities.includes(impersonationAbility)
