import { type Host, htmlResponse, type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { deviceCodePage, deviceDonePage } from '../page/device-page.ts'
import { formPolicy } from '../page/site-policy.ts'
import type { ProviderHolder } from '../provider/provider-holder.ts'
import { type DeviceStore, devicePath, deviceTimes } from '../tables/device-store.ts'
import { languageOf, pageQuery } from './page-request.ts'
import { formBody, jsonObject, noStore, oauthError } from './provider-routes.ts'

/** Maximum user codes that are tried in a minute: 20 billion exist, of which at most 10,000 are valid. */
const perMinute = { ofNetwork: 10, ofAll: 300 } as const

const html = { 'text/html': { schema: z.string() } }
const page = (text: string, status = 200) => {
  const { headers } = htmlResponse('', { policy: formPolicy, cacheControl: 'no-store' })
  return new Response(text, { status, headers })
}

/** Returns the device authorization grant (RFC 8628) and its pages. The sign-in is that of a client with a browser. */
export const deviceRoutes = (
  { oracle, limits }: Pick<Host, 'oracle' | 'limits'>,
  store: DeviceStore,
  holder: ProviderHolder,
): Route[] => [
  route.post(
    '/oauth/device_authorization',
    {
      auth: 'own',
      summary: 'Begins the sign-in of a device without a browser (RFC 8628)',
      description: 'For clients that registered with this grant type.',
      rateLimit: { name: 'oauth-device', perMinute: 20 },
      maxBodyBytes: 20_000,
      body: formBody,
      ok: { 200: { description: 'The codes', content: jsonObject }, 400: oauthError },
    },
    async c => {
      const given = new URLSearchParams(await c.req.text())
      const clientId = given.get('client_id') ?? ''
      const client = clientId ? await (await holder.provider()).Client.find(clientId).catch(() => undefined) : undefined
      if (!client?.redirectUris?.includes(`${holder.url}${devicePath}`)) return c.json(notRegistered, 400, noStore)
      const { deviceCode, userCode } = await store.create({
        clientId,
        scope: given.get('scope') ?? '',
        resource: given.get('resource') ?? undefined,
      })
      return c.json(
        {
          device_code: deviceCode,
          user_code: userCode,
          verification_uri: `${holder.url}/oauth/device`,
          expires_in: deviceTimes.expiry,
          interval: deviceTimes.interval,
        },
        200,
        noStore,
      )
    },
  ),
  route.get(
    '/oauth/device',
    {
      auth: 'own',
      summary: 'The page on which a user types the code of a device',
      query: pageQuery,
      ok: { 200: { description: 'The page', content: html } },
    },
    c => page(deviceCodePage(languageOf(c.req.raw), oracle.name)),
  ),
  route.post(
    '/oauth/device',
    {
      auth: 'own',
      summary: 'Continues with the sign-in whose code a user typed',
      rateLimit: { name: 'oauth-user-code', perMinute: perMinute.ofNetwork },
      maxBodyBytes: 1_000,
      query: pageQuery,
      body: formBody,
      ok: {
        303: { description: 'The browser goes on to the sign-in' },
        400: { description: 'The page, with the reason', content: html },
      },
    },
    async c => {
      const language = languageOf(c.req.raw)
      const { device } = language.texts
      const wrong = (problem: string) => page(deviceCodePage(language, oracle.name, problem), 400)
      const { allowed } = await limits.take({ name: 'oauth-user-codes', key: 'all', perMinute: perMinute.ofAll })
      if (!allowed) return wrong(device.tooMany)
      const challenge = await store.findByUserCode(new URLSearchParams(await c.req.text()).get('user_code') ?? '')
      const found = challenge && (await store.find(challenge))
      if (!found) return wrong(device.wrong)
      const query = new URLSearchParams({
        client_id: found.clientId,
        redirect_uri: `${holder.url}${devicePath}`,
        response_type: 'code',
        scope: found.scope,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: challenge,
        ui_locales: language.code,
        ...(found.resource === undefined ? {} : { resource: found.resource }),
      })
      return new Response(null, {
        status: 303,
        headers: { ...noStore, location: `${holder.url}/oauth/authorize?${query}` },
      })
    },
  ),
  route.get(
    devicePath,
    {
      auth: 'own',
      summary: 'The page after the sign-in of a device',
      ok: { 200: { description: 'The page', content: html } },
    },
    async c => {
      const given = new URL(c.req.url).searchParams
      const challenge = given.get('state') ?? ''
      const found = await store.find(challenge)
      const code = given.get('code')
      const error = given.get('error') ?? 'access_denied'
      if (found && !found.result) await store.update(challenge, { ...found, result: code ? { code } : { error } })
      return page(
        deviceDonePage(
          languageOf(c.req.raw),
          oracle.name,
          found === undefined ? 'expired' : code ? 'allowed' : 'denied',
        ),
      )
    },
  ),
]

const notRegistered = {
  error: 'unauthorized_client',
  error_description:
    'Register this client with grant_types that contain urn:ietf:params:oauth:grant-type:device_code, and send its client_id.',
}
