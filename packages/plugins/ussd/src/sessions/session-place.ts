import type { Vault } from '@sibyl/plugin/sealing'
import type { UssdRequest } from '../requests/ussd-request.ts'
import { requestCodes } from './service-codes.ts'
import type { SessionSettings } from './session-env.ts'

/** Which session a request is for. */
export interface SessionPlace {
  /** The keys it may be kept under: the first one under the vault's key of now, the others under earlier ones. */
  readonly keys: readonly [string, ...string[]]
  /** The base code. */
  readonly serviceCode: string
  /** What was dialled behind it; empty for nothing. */
  readonly shortcut: string
  /** Who calls which service, in all of that person's sessions: first under the key of now. Only where calls are resumed. */
  callers(): readonly [string, ...string[]]
}

/** Finds the session of a request. Another phone, code or provider is another session. */
export const placeOf = (request: UssdRequest, settings: SessionSettings, vault: Vault): SessionPlace => {
  const { provider, sessionId, phoneNumber } = request
  const codes = requestCodes(request, settings.serviceCodes)
  return {
    keys: vault.lookupHashes(JSON.stringify([provider, sessionId, phoneNumber, codes.session]), 'ussd_sessions.key'),
    serviceCode: codes.base,
    shortcut: codes.shortcut,
    callers: () => vault.lookupHashes(JSON.stringify([provider, phoneNumber, codes.base]), 'ussd_sessions.caller'),
  }
}
