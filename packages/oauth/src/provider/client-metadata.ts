import { cleanText } from '@sibyl/plugin'
import { z } from 'zod'
import { deviceGrant, devicePath } from '../tables/device-store.ts'

/** The properties of a client that are stored; others are ignored (RFC 7591, 2). */
const clientMetadata = z.object({
  client_name: z.string().trim().max(100).optional(),
  client_uri: z.string().max(500).optional(),
  redirect_uris: z.array(z.string().max(500)).max(10).default([]),
  grant_types: z.array(z.string().max(100)).max(20).default([]).catch([]),
})

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The scheme of an app is a domain name in reverse order (RFC 8252, 7.1): others run as code, or belong to no one. */
const appScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

/**
 * Returns the metadata of a client as it is registered: a public client with PKCE, whatever it asked for. Undefined if its
 * redirect URIs are missing or not allowed.
 *
 * @param url That of the oracle, at which the sign-in of a device ends.
 */
export const readClientMetadata = (input: unknown, url: string): Record<string, unknown> | undefined => {
  const read = clientMetadata.safeParse(input)
  if (!read.success || !read.data.redirect_uris.every(isRedirectUri)) return undefined
  const { client_name: given = '', client_uri: uri, grant_types } = read.data
  const ofDevice = grant_types.includes(deviceGrant) ? [`${url}${devicePath}`] : []
  const redirect_uris = [...read.data.redirect_uris, ...ofDevice]
  if (redirect_uris.length === 0) return undefined
  const name = cleanText(given)
  const isWeb = redirect_uris.every(one => one.startsWith('https://'))
  return {
    redirect_uris,
    application_type: isWeb ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...(name ? { client_name: name } : {}),
    ...(uri?.startsWith('https://') && URL.canParse(uri) ? { client_uri: uri } : {}),
  }
}

/** Returns whether a client may have a redirect URI: https, http on this computer, or the scheme of an app. */
export const isRedirectUri = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.hash !== '' || text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'http:') return loopbacks.has(url.hostname)
  if (url.protocol === 'https:') return !loopbacks.has(url.hostname)
  return appScheme.test(url.protocol)
}
