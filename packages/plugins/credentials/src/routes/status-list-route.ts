import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { credentialsErrors } from '../credentials-errors.ts'

import { readStatusList, type StatusListParts } from '../status-lists/status-list-documents.ts'
import { statusListsPath } from '../status-lists/status-place.ts'

/** `GET /status-lists/:id`, open to anybody. */
export const statusListRoute = (parts: StatusListParts): Route =>
  route.get(
    `${statusListsPath}/{id}`,
    {
      auth: 'public',
      summary: 'A status list of credentials',
      description:
        'A signed BitstringStatusListCredential (W3C Bitstring Status List 1.0): who verifies a credential looks up its ' +
        'place. With `If-None-Match` it is sent only when it has changed.',
      params: z.object({ id: z.string().max(60) }),
      ok: {
        200: {
          description: 'The list',
          content: { 'application/vc': { schema: z.looseObject({}) } },
          headers: z.object({ etag: z.string() }),
        },
        304: { description: 'It is what the caller has' },
      },
      errors: [credentialsErrors.status_list_not_found, { code: 'signing_key_missing', status: 503 }],
    },
    async c => {
      const list = await readStatusList(c.req.valid('param').id, parts)
      if (!list) throw credentialsErrors.status_list_not_found()
      const headers = { etag: list.etag, 'cache-control': 'public, no-cache' }
      const known = (c.req.header('if-none-match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
      if (known.includes(list.etag) || known.includes('*')) return c.body(null, 304, headers)
      return c.body(list.text, 200, { ...headers, 'content-type': 'application/vc' })
    },
  )
