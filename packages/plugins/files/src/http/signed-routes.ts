import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { filesErrors } from '../definitions/files-errors.ts'
import type { FilesStorage } from '../definitions/files-tables.ts'
import type { ByteRange } from '../disk/blob-store.ts'
import { findEntry } from '../store/file-queries.ts'
import type { FileStore } from '../store/file-store.ts'
import { type AnswerContext, sendContent } from './send-content.ts'
import type { LinkSignature, SignedLinks } from './signed-links.ts'

export interface SignedRoutesDependencies {
  readonly storage: FilesStorage
  readonly store: FileStore
  readonly links: SignedLinks
}

const signedPath = '/files/signed/'

/** Another site's page may show it: the link is the right to it. */
const anywhere = { 'cross-origin-resource-policy': 'cross-origin' }

/** Contents for the holder of a signed link, such as the picture element of a page. */
export const signedRoutes = ({ storage, store, links }: SignedRoutesDependencies): Route[] => [
  route.get(
    `${signedPath}{entry}`,
    {
      auth: 'public',
      summary: 'The content of a file, by a signed link',
      description:
        'Sessions name the files of messages by such links, which show them for at least ten minutes. A link ends earlier where ' +
        'the file is overwritten, deleted or erased.',
      params: z.object({ entry: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
      query: z.object({
        expires: z.coerce
          .number()
          .int()
          .min(0)
          .max(Number.MAX_SAFE_INTEGER)
          .meta({ description: 'Milliseconds since 1970' }),
        signature: z.string().regex(/^[\w-]{43}$/),
      }),
      headers: z.object({ range: z.string().optional() }),
      ok: {
        200: { description: 'All of it', content: { '*/*': { schema: z.string().meta({ format: 'binary' }) } } },
        206: {
          description: 'The requested part',
          content: { '*/*': { schema: z.string().meta({ format: 'binary' }) } },
        },
        304: { description: 'Not changed' },
      },
      errors: [
        filesErrors.file_link_invalid,
        filesErrors.file_changed,
        filesErrors.file_range_invalid,
        filesErrors.files_storage_failed,
      ],
    },
    async c => {
      const { entry } = c.req.valid('param')
      const signed = c.req.valid('query')
      const find = async () => {
        const found = await findEntry(storage.read, entry)
        // One response for every problem, so that it does not reveal whether a file exists.
        const isGood = await links.verify({ entry, sha256: found?.file.sha256 ?? '' }, signed)
        if (!found || !isGood) throw filesErrors.file_link_invalid()
        return found.file
      }
      const open = async (range: ByteRange | undefined) => {
        const opened = await store.open(await find(), find, range)
        if (!opened) throw filesErrors.file_link_invalid()
        return opened
      }
      return await sendContent(c as unknown as AnswerContext, await find(), open, anywhere)
    },
  ),
]

/** The address of a signed link, without the host. */
export const signedUrlOf = (entry: number, { expires, signature }: LinkSignature): string =>
  `${signedPath}${entry}?expires=${expires}&signature=${signature}`

/** The row that a signed link names, signed or not; undefined for other addresses. */
export const entryInUrl = (pathname: string): number | undefined => {
  const number = /\/files\/signed\/([1-9]\d{0,14})$/.exec(pathname)?.[1]
  return number === undefined ? undefined : Number(number)
}
