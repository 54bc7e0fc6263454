import { assetResponse, type Route, route } from '@sibyl/plugin'
import { joinGrants } from '@sibyl/plugin/host'
import { z } from 'zod'
import { pageFiles } from '../page/page-files.ts'
import { signInPage } from '../page/sign-in-page.ts'
import type { ProviderHolder } from '../provider/provider-holder.ts'
import {
  completeSignIn,
  denySignIn,
  readInteraction,
  requestedScopes,
  type SignInParts,
} from '../sign-in/complete-sign-in.ts'
import { countAttempt } from '../sign-in/count-attempts.ts'
import { signInErrors } from '../sign-in/sign-in-errors.ts'
import type { CodeStore } from '../tables/code-store.ts'
import { pageFacts } from './page-facts.ts'
import { choice, pageAnswer, pageQuery, requestOf, signedInBy, uidParam } from './page-request.ts'
import { phoneRoutes } from './phone-routes.ts'

const next = z.object({
  /** The URL at which the browser goes on. */
  location: z.string(),
})
const page = { 'text/html': { schema: z.string() } }

/** Returns the sign-in page with its files, and the routes that it sends the decision of the user to. */
export const signInRoutes = (parts: SignInParts, codes: CodeStore, holder: ProviderHolder): Route[] => {
  const { host } = parts
  const files = pageFiles()
  return [
    ...phoneRoutes(parts, holder),
    route.get(
      '/oauth/page/{file}',
      {
        auth: 'public',
        summary: 'The script and the style of the sign-in page',
        params: z.object({ file: z.string().max(100) }),
        ok: { 200: { description: 'The file', content: { 'text/javascript': { schema: z.string() } } } },
        errors: [{ code: 'route_not_found', status: 404 }],
      },
      async c => {
        const asset = (await files()).find(({ name }) => name === c.req.valid('param').file)
        return asset ? assetResponse(asset, c.req.raw.headers) : c.notFound()
      },
    ),
    route.get(
      '/oauth/sign-in/{uid}',
      {
        auth: 'own',
        summary: 'The page on which a user signs in and consents',
        params: uidParam,
        query: pageQuery,
        ok: { 200: { description: 'The page', content: page }, 400: { description: 'It expired', content: page } },
      },
      async c => {
        const provider = await holder.provider()
        return pageAnswer(c.req.raw, host.oracle.name, '..', async () => {
          const interaction = await readInteraction(provider, requestOf(c, c.req.valid('param').uid))
          const scopes = requestedScopes(interaction)
          return signInPage({ ...(await pageFacts(host, provider, interaction, c.req.raw)), scopes })
        })
      },
    ),
    route.post(
      '/oauth/sign-in/{uid}',
      {
        auth: { ucan: 'auth/token' },
        summary: 'Signs in with a UCAN invocation, and consents',
        description: 'For the sign-in page. The client gets at most the abilities of the invocation.',
        params: uidParam,
        body: choice,
        ok: next,
        errors: [
          signInErrors.sign_in_expired,
          signInErrors.sign_in_needs_ucan,
          signInErrors.sign_in_scopes_missing,
          signInErrors.sign_ins_full,
        ],
      },
      async c => {
        const user = signedInBy(c.get('actor'))
        const request = requestOf(c, c.req.valid('param').uid)
        return c.json({
          location: await completeSignIn(await holder.provider(), request, user, c.req.valid('json'), parts),
        })
      },
    ),
    route.post(
      '/oauth/sign-in/{uid}/code',
      {
        auth: 'own',
        summary: 'Signs in with a one-time code of the operator, and consents',
        params: uidParam,
        body: choice.extend({ code: z.string().max(40) }),
        rateLimit: { name: 'oauth-code', perMinute: 20 },
        ok: next,
        errors: [
          signInErrors.sign_in_expired,
          signInErrors.sign_in_code_invalid,
          signInErrors.sign_in_attempts,
          signInErrors.sign_in_scopes_missing,
          signInErrors.sign_ins_full,
        ],
      },
      async c => {
        const provider = await holder.provider()
        const request = requestOf(c, c.req.valid('param').uid)
        const { code, ...chosen } = c.req.valid('json')
        await countAttempt(await readInteraction(provider, request))
        const found = await codes.redeem(code)
        if (!found) throw signInErrors.sign_in_code_invalid()
        const { did, scopes } = found
        const ofOracle = host.identity.did === undefined ? {} : { root: host.identity.did }
        const grant = joinGrants(ofOracle, found.grant) ?? ofOracle
        const user = { did, scopes, holder: did, origin: undefined, grant }
        return c.json({ location: await completeSignIn(provider, request, user, chosen, parts) })
      },
    ),
    route.post(
      '/oauth/sign-in/{uid}/deny',
      {
        auth: 'own',
        summary: 'Denies access to a client',
        params: uidParam,
        ok: next,
        errors: [signInErrors.sign_in_expired],
      },
      async c =>
        c.json({ location: await denySignIn(await holder.provider(), requestOf(c, c.req.valid('param').uid)) }),
    ),
  ]
}
