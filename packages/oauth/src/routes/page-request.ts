import { z } from 'zod'
import type { PageRequest } from '../sign-in/complete-sign-in.ts'

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
