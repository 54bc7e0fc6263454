import { type Actor, abilityCovers, type Host } from '@sibyl/plugin'

/** The ability to send SMS to phones of others; no default grant includes it. */
const sendToOthers = 'sms/send-others'

/**
 * Decides by the grantor of the actor's abilities. With `ORACLE_ACCESS=open` callers grant them to themselves, so they
 * prove nothing: only the oracle, controllers and API keys may then reach phones of others.
 */
export const phoneRights = ({ mode, isTrusted }: Pick<Host['access'], 'mode' | 'isTrusted'>) => {
  const isProven = ({ did, via }: Actor): boolean => {
    if (via === 'api-key' || via === 'operator') return true
    return (via === 'ucan' || via === 'bearer') && (mode === 'delegated' || isTrusted(did))
  }
  return {
    /** Returns whether an actor may send any text to any phone. */
    maySendToOthers: (actor: Actor): boolean =>
      isProven(actor) && actor.scopes.some(scope => abilityCovers(scope, sendToOthers)),
    /** Returns whether an actor may have a code sent to a phone, to link it. */
    mayLink: isProven,
  }
}

export type PhoneRights = ReturnType<typeof phoneRights>
