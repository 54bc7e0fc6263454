import { randomBytes, randomInt } from 'node:crypto'
import type { CamelCaseStorage } from '@sibyl/plugin/host'
import type { AdapterPayload } from 'oidc-provider'
import { hashOf } from './hash-of.ts'
import type { OauthTables } from './oauth-tables.ts'
import { recordStore } from './record-store.ts'

/** The grant type of RFC 8628. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Path to which the browser returns after the sign-in of a device. */
export const devicePath = '/oauth/device/done'

/** Times of a device sign-in, in seconds. */
export const deviceTimes = { expiry: 600, interval: 5 } as const

/** The sign-in of a device. It runs as one with PKCE, whose verifier is the device code. */
export interface DeviceSignIn {
  readonly clientId: string
  readonly scope: string
  readonly resource: string | undefined
  readonly userCode: string
  /** Seconds between two requests of the device. */
  readonly interval: number
  /** Milliseconds since 1970. */
  readonly polledAt: number
  readonly expiresAt: number
  /** The result of the browser: an authorization code, or an error. */
  readonly result?: { readonly code: string } | { readonly error: string }
}

/** Device sign-ins, by the PKCE challenge. */
export interface DeviceStore {
  create(
    request: Pick<DeviceSignIn, 'clientId' | 'scope' | 'resource'>,
  ): Promise<{ readonly deviceCode: string; readonly userCode: string }>
  find(challenge: string): Promise<DeviceSignIn | undefined>
  /** Returns the challenge of the sign-in whose code a user typed. */
  findByUserCode(typed: string): Promise<string | undefined>
  update(challenge: string, changed: DeviceSignIn): Promise<void>
}

/** Without vowels and digits, so that codes are not words and letters are not mistaken (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

/** Creates the store in the records of the authorization server. */
export const createDeviceStore = (
  storage: CamelCaseStorage<OauthTables>,
  now: () => number,
  site: () => string | undefined,
): DeviceStore => {
  const parts = { storage, now, site, usedError: () => new Error('not used') }
  const [devices, userCodes] = [recordStore('Device', parts), recordStore('UserCode', parts)]
  const update: DeviceStore['update'] = async (challenge, changed) => {
    await devices.upsert(challenge, changed as unknown as AdapterPayload, (changed.expiresAt - now()) / 1000)
    if (changed.result) await userCodes.destroy(changed.userCode)
  }
  return {
    update,
    async create(request) {
      const deviceCode = randomBytes(32).toString('base64url')
      const userCode = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
      const challenge = hashOf(deviceCode)
      const expiresAt = now() + deviceTimes.expiry * 1000
      await update(challenge, { ...request, userCode, interval: deviceTimes.interval, polledAt: 0, expiresAt })
      await userCodes.upsert(userCode, { challenge } as unknown as AdapterPayload, deviceTimes.expiry)
      return { deviceCode, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` }
    },
    find: async challenge => (await devices.find(challenge)) as unknown as DeviceSignIn | undefined,
    async findByUserCode(typed) {
      const found = await userCodes.find(typed.toUpperCase().replace(/[^A-Z]/g, ''))
      return (found as unknown as { readonly challenge: string } | undefined)?.challenge
    },
  }
}
