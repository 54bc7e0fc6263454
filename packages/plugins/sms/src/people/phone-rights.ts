import { type Actor, abilityCovers, type Host } from '@sibyl/plugin'

/** The ability to send SMS to phones of others; no default grant includes it. */
const sendToOthers = 'sms/send-others'

export interface PhoneRights {
  /** Returns whether an actor may send any text to any phone. */
  maySendToOthers(actor: Actor): boolean
  /** Returns whether an actor may have a code sent to a phone, to link it. */
  mayLink(actor: Actor): boolean
}

/**
 * Decides by the grantor of the actor's abilities. With `ORACLE_ACCESS=open` callers grant them to themselves, so they
 * prove nothing: only the oracle, controllers and API keys may then reach phones of others.
 */
export const phoneRights = ({ mode, isTrusted }: Pick<Host['access'], 'mode' | 'isTrusted'>): PhoneRights => {
  const isProven = ({ did, via }: Actor): boolean => {
    if (via === 'api-key' || via === 'operator') return true
    return (via === 'ucan' || via === 'bearer') && (mode === 'delegated' || isTrusted(did))
  }
  return {
    maySendToOthers: actor => isProven(actor) && actor.scopes.some(scope => abilityCovers(scope, sendToOthers)),
    mayLink: isProven,
  }
}
