import { type Actor, holderOf, htmlResponse, isOracleError } from '@sibyl/plugin'
import { z } from 'zod'
import { errorPage } from '../page/error-page.ts'
import { sitePolicy } from '../page/site-policy.ts'
import { type PageLanguage, pageLanguage } from '../page/texts/page-language.ts'
import type { PageRequest, SignedIn } from '../sign-in/complete-sign-in.ts'
import { signInErrors } from '../sign-in/sign-in-errors.ts'

export const uidParam = z.object({ uid: z.string().max(100) })

/** The scopes and the duration that a user chose. */
export const choice = z.strictObject({
  scopes: z.array(z.string().max(200)).min(1).max(64),
  days: z.int().min(1).max(90).default(30),
})

/** Returns the request of a page, as the library reads its cookies. */
export const requestOf = (
  c: { readonly req: { readonly path: string; readonly raw: Request } },
  uid: string,
): PageRequest => ({
  method: 'GET',
  path: c.req.path,
  headers: c.req.raw.headers,
  uid,
})

/** Returns the user who signed an invocation. Throws `sign_in_needs_ucan` for another credential. */
export const signedInBy = (actor: Actor): SignedIn => {
  if (actor.via !== 'ucan') throw signInErrors.sign_in_needs_ucan()
  const { did, scopes, origin, grant = {} } = actor
  return { did, scopes, origin, grant, holder: holderOf(actor) }
}

/** The query of a page: the language that its switch chose. */
export const pageQuery = z.object({
  lang: z.string().max(20).optional().meta({ description: 'Language', example: 'sw' }),
})

/** Returns the language of the page that a request is for. @param uiLocales Of the authorization request */
export const languageOf = (request: Request, uiLocales?: unknown): PageLanguage =>
  pageLanguage({
    lang: new URL(request.url).searchParams.get('lang') ?? undefined,
    uiLocales,
    accepted: request.headers.get('accept-language') ?? undefined,
  })

/** Returns the response with a page of an interaction, or with the error that prevents it. @param base Path to `/oauth`. */
export const pageAnswer = async (
  request: Request,
  oracle: string,
  base: string,
  page: () => Promise<string>,
): Promise<Response> => {
  const options = { policy: sitePolicy, cacheControl: 'no-store' } as const
  try {
    return htmlResponse(await page(), options)
  } catch (error) {
    if (!isOracleError(error)) throw error
    const { headers } = htmlResponse('', options)
    return new Response(errorPage(languageOf(request), oracle, error, base), { status: error.status, headers })
  }
}
