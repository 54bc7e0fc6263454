import { type Route, route } from '@sibyl/plugin'
import { networksOf } from '@sibyl/plugin/host'
import { z } from 'zod'
import { phonePage } from '../page/phone-page.ts'
import type { ProviderHolder } from '../provider/provider-holder.ts'
import { browserOf } from '../sign-in/browser-of.ts'
import type { SignInParts } from '../sign-in/complete-sign-in.ts'
import { beginPhone, completePhone, readPhone, signPhone } from '../sign-in/phone-sign-in.ts'
import { signInErrors } from '../sign-in/sign-in-errors.ts'
import { pageFacts } from './page-facts.ts'
import { choice, pageAnswer, pageQuery, requestOf, signedInBy, uidParam } from './page-request.ts'

const phoneParams = uidParam.extend({ secret: z.string().max(100) })
const page = { 'text/html': { schema: z.string() } }
const errors = [signInErrors.sign_in_expired]

const begun = z.object({
  /** The address for the phone, as in the QR code. */
  url: z.string(),
  /** The number that the user types on the phone. */
  number: z.string(),
})

/** Returns the routes for a sign-in that the user's phone signs. */
export const phoneRoutes = (parts: SignInParts, holder: ProviderHolder): Route[] => {
  const { host } = parts
  return [
    route.post(
      '/oauth/sign-in/{uid}/phone',
      {
        auth: 'own',
        summary: 'Begins a sign-in that the phone of the user signs',
        params: uidParam,
        body: choice,
        ok: begun,
        errors: [...errors, signInErrors.sign_in_not_by_phone],
      },
      async c => {
        const { uid } = c.req.valid('param')
        const address = c.get('clientAddress')
        const began = { browser: browserOf(c.req.header('user-agent')), ...(address === undefined ? {} : { address }) }
        const request = requestOf(c, uid)
        const { secret, number } = await beginPhone(await holder.provider(), request, c.req.valid('json'), began)
        return c.json({ url: `${holder.url}/oauth/phone/${uid}/${secret}`, number })
      },
    ),
    route.post(
      '/oauth/sign-in/{uid}/phone/next',
      {
        auth: 'own',
        summary: 'Completes a sign-in once the phone has signed',
        description: 'Without `location`, the phone has not signed yet.',
        params: uidParam,
        ok: z.object({ location: z.string().optional() }),
        errors: [
          ...errors,
          signInErrors.sign_in_attempts,
          signInErrors.sign_in_scopes_missing,
          signInErrors.sign_ins_full,
        ],
      },
      async c => {
        const request = requestOf(c, c.req.valid('param').uid)
        const location = await completePhone(await holder.provider(), request, parts)
        return c.json(location === undefined ? {} : { location })
      },
    ),
    route.get(
      '/oauth/phone/{uid}/{secret}',
      {
        auth: 'own',
        summary: 'The page that a phone opens to sign a sign-in of another browser',
        params: phoneParams,
        query: pageQuery,
        ok: { 200: { description: 'The page', content: page }, 400: { description: 'It expired', content: page } },
      },
      async c => {
        const { uid, secret } = c.req.valid('param')
        const provider = await holder.provider()
        return pageAnswer(c.req.raw, host.oracle.name, '../..', async () => {
          const { interaction, phone } = await readPhone(provider, uid, secret)
          const facts = await pageFacts(host, provider, interaction, c.req.raw)
          const { browser, address } = phone.began
          const own = c.get('clientAddress')
          const isNear = address !== undefined && own !== undefined && siteOf(address) === siteOf(own)
          return phonePage({ ...facts, ...phone.choice, browser, address, isNear })
        })
      },
    ),
    route.post(
      '/oauth/phone/{uid}/{secret}',
      {
        auth: { ucan: 'auth/token' },
        summary: 'Signs a sign-in of another browser with a UCAN invocation of the phone',
        params: phoneParams,
        body: z.strictObject({ number: z.string().max(10), scopes: choice.shape.scopes }),
        ok: { 204: { description: 'Signed; the other browser goes on' } },
        errors: [
          ...errors,
          signInErrors.sign_in_needs_ucan,
          signInErrors.sign_in_number_wrong,
          signInErrors.sign_in_attempts,
          signInErrors.sign_in_scopes_missing,
        ],
      },
      async c => {
        const user = signedInBy(c.get('actor'))
        await signPhone(await holder.provider(), c.req.valid('param'), user, c.req.valid('json'))
        return c.body(null, 204)
      },
    ),
  ]
}

const siteOf = (address: string): string => networksOf(address).site
