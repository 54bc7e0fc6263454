import { abilityCovers } from '@sibyl/identity'

/** The required abilities, of which one is enough, such as `['memory/read', 'chat/personal']`. */
export type RequiredAbility = string | readonly string[]

/** The ability to send messages. Every turn needs it. */
export const sendAbility = 'chat/send'

/** The ability that covers tools on the caller's own data. `chat/*` covers it. */
export const personalAbility = 'chat/personal'

/** The abilities of a person on a channel that identifies its senders, such as a phone or a Matrix room. */
export const channelAbilities: readonly string[] = [sendAbility, personalAbility]

/** Returns the abilities of which one is required. */
export const abilitiesOf = (required: RequiredAbility | undefined): readonly string[] => {
  if (required === undefined) return []
  return typeof required === 'string' ? [required] : required
}

/**
 * Returns whether a caller with these scopes has one of the required abilities. Without a requirement every caller
 * does.
 */
export const holdsAbility = (scopes: readonly string[], required: RequiredAbility | undefined): boolean =>
  required === undefined || abilitiesOf(required).some(ability => scopes.some(scope => abilityCovers(scope, ability)))
