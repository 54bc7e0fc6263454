import { impersonationAbility } from '@sibyl/identity'
import type { KeptLogin } from './kept-logins.ts'

/** The abilities of a login at a registry: entities, in the name of whoever signs. */
export const loginAbilities = ['entities/*', impersonationAbility] as const

/** Checks whether a login lets this computer act as its controller. Logins of earlier versions do not. */
export const actsAsController = ({ abilities }: Pick<KeptLogin, 'abilities'>): boolean =>
  abilities.includes(impersonationAbility)
