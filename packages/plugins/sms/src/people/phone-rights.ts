import { type Actor, abilityCovers, type HostAccess } from '@sibyl/plugin'

/** The ability to have SMS sent to phones of others, which no default grant holds. */
export const sendToOthers = 'sms/send-others'

/** What an actor may do with phones that are not their own. */
export interface PhoneRights {
  /** Reports whether an actor may have any text sent to any phone. */
  maySendToOthers(actor: Actor): boolean
  /** Reports whether an actor may have a code sent to a phone, to link it. */
  mayLink(actor: Actor): boolean
}

/**
 * Decides by who granted the actor's abilities. With `ORACLE_ACCESS=open` a caller grants them to themselves, so that they
 * prove nothing: there, controllers and API keys alone may reach phones that are not their own.
 */
export const phoneRights = ({ mode, controllers }: HostAccess): PhoneRights => {
  const isProven = ({ did, via }: Actor): boolean => {
    if (via === 'api-key' || via === 'operator') return true
    return (via === 'ucan' || via === 'bearer') && (mode === 'delegated' || controllers.includes(did))
  }
  return {
    maySendToOthers: actor => isProven(actor) && actor.scopes.some(scope => abilityCovers(scope, sendToOthers)),
    mayLink: isProven,
  }
}
