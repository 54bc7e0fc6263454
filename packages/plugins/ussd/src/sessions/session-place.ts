import type { Vault } from '@sibyl/plugin/sealing'
import type { UssdRequest } from '../requests/ussd-request.ts'
import type { SessionSettings } from './session-env.ts'

/** Keys and codes of the session of a request. */
export interface SessionPlace {
  /** Possible keys of its row: the first by the vault's current key, the others by earlier ones. */
  readonly keys: readonly [string, ...string[]]
  readonly serviceCode: string
  /** Text dialed after it; empty for none. */
  readonly shortcut: string
  /** Returns hashes of caller and service, the first by the current key. Used only if calls are resumed. */
  callers(): readonly [string, ...string[]]
}

/** Maximum number of sessions with cached keys: each makes several requests. */
const maxPlaces = 2_000

/** Returns a function that finds the session of a request. Another phone, code or provider is another session. */
export const createPlaces = (settings: SessionSettings, vault: Vault): ((request: UssdRequest) => SessionPlace) => {
  const known = new Map<string, SessionPlace['keys']>()
  const keysOf = (text: string): SessionPlace['keys'] => {
    const keys = known.get(text) ?? vault.lookupHashes(text, 'ussd_sessions.key')
    known.delete(text)
    known.set(text, keys)
    if (known.size > maxPlaces) known.delete(known.keys().next().value ?? '')
    return keys
  }
  return request => placeOf(request, settings, vault, keysOf)
}

const placeOf = (
  request: UssdRequest,
  settings: SessionSettings,
  vault: Vault,
  keysOf: (text: string) => SessionPlace['keys'],
): SessionPlace => {
  const { provider, sessionId, phoneNumber } = request
  const codes = requestCodes(request, settings.serviceCodes)
  return {
    keys: keysOf(JSON.stringify([provider, sessionId, phoneNumber, codes.session])),
    serviceCode: codes.base,
    shortcut: codes.shortcut,
    callers: () => vault.lookupHashes(JSON.stringify([provider, phoneNumber, codes.base]), 'ussd_sessions.caller'),
  }
}

/** A base code, `*1234#`, and the text dialed after it, as answers joined by `*`: `1*2`; empty for none. */
type DialledCode = Readonly<Record<'base' | 'shortcut', string>>

/**
 * Splits a dialed code, `*1234*1*2#`, into its base code and the answers after it. The longest base code wins; a code
 * without one is a base code itself.
 */
export const splitServiceCode = (dialled: string, baseCodes: readonly string[]): DialledCode => {
  const digits = dialled.slice(0, -1)
  let base: string | undefined
  for (const code of baseCodes) {
    const stem = code.slice(0, -1)
    const fits = digits === stem || digits.startsWith(`${stem}*`)
    if (fits && (base === undefined || code.length > base.length)) base = code
  }
  if (base === undefined) return { base: dialled, shortcut: '' }
  return { base, shortcut: digits.slice(base.length) }
}

/**
 * Returns the codes of a request; `session` is the same in all of a session, and empty if its provider does not send
 * it.
 */
export const requestCodes = (
  { serviceCode, dialled = serviceCode }: Pick<UssdRequest, 'serviceCode' | 'dialled'>,
  baseCodes: readonly string[],
): DialledCode & { readonly session: string } => ({
  session: serviceCode === '' ? '' : splitServiceCode(serviceCode, baseCodes).base,
  ...(dialled === '' ? { base: '', shortcut: '' } : splitServiceCode(dialled, baseCodes)),
})
