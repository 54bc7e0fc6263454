import { type Route, route, routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import { filePath } from '../content/file-path.ts'
import type { FilesLimits } from '../definitions/files-env.ts'
import { filesErrors } from '../definitions/files-errors.ts'
import type { FilesStorage } from '../definitions/files-tables.ts'
import type { ByteRange } from '../disk/blob-store.ts'
import { fileRecord } from '../records/index.ts'
import { findFile, findVersion } from '../store/file-queries.ts'
import type { FileStore, KeptFile } from '../store/file-store.ts'
import { fromHeaders } from '../store/precondition.ts'
import { recordOf } from '../store/stored-file.ts'
import { conditionHeaders, entityTag } from './condition-headers.ts'
import { type AnswerContext, sendContent } from './send-content.ts'

export interface ContentRoutesDependencies {
  readonly storage: FilesStorage
  readonly store: FileStore
  readonly limits: FilesLimits
}

export const contentPath = '/files/content'

/** Schema of a file's path in a query. */
export const pathQuery = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: 'The path of the file', example: 'reports/2026-W47.md' })
const conditions = z.object({ 'if-match': z.string().optional(), 'if-none-match': z.string().optional() })
const anyBytes = { '*/*': { schema: z.string().meta({ format: 'binary' }) } }
const etag = { ETag: { description: 'Identifies the content', schema: { type: 'string' as const } } }

const writeErrors = [
  filesErrors.file_path_invalid,
  filesErrors.files_too_many,
  filesErrors.files_erased,
  filesErrors.file_changed,
  { code: 'body_too_large', status: 413 },
  filesErrors.file_too_large,
  filesErrors.files_quota_reached,
  filesErrors.files_share_reached,
  filesErrors.file_condition_missing,
  filesErrors.files_busy,
  filesErrors.files_storage_failed,
  filesErrors.files_full,
  filesErrors.files_disk_low,
] as const

/** Creates the routes of the caller's own file contents. */
export const contentRoutes = ({ storage, store, limits }: ContentRoutesDependencies): Route[] => [
  route.get(
    contentPath,
    {
      auth: { ucan: 'files/read' },
      summary: 'Get the content of a file or of an old version',
      description:
        'Supports HEAD, `Range` with one part, `If-Range`, `If-Match` and `If-None-Match`. It is always sent as a download.',
      query: z.object({
        path: pathQuery,
        version: z.string().max(20).optional().meta({ description: 'Id of a version of that path', example: 'v12' }),
      }),
      headers: conditions.extend({ range: z.string().optional(), 'if-range': z.string().optional() }),
      ok: {
        200: { description: 'The complete content', headers: etag, content: anyBytes },
        206: { description: 'The requested part', headers: etag, content: anyBytes },
        304: { description: 'Not modified', headers: etag },
      },
      errors: [
        filesErrors.file_path_invalid,
        filesErrors.file_not_found,
        filesErrors.file_version_not_found,
        filesErrors.file_changed,
        filesErrors.file_range_invalid,
        filesErrors.files_storage_failed,
      ],
    },
    async c => {
      const { path, version } = c.req.valid('query')
      const { did } = c.get('actor')
      const { key } = filePath(path)
      const context = c as unknown as AnswerContext
      const found = await find({ storage, did, key, version })
      const open = async (range: ByteRange | undefined) => {
        const opened = await store.open(found, () => find({ storage, did, key, version }), range)
        if (!opened) throw filesErrors.file_not_found()
        return opened
      }
      return await sendContent(context, found, open)
    },
  ),
  route.put(
    contentPath,
    {
      auth: { ucan: 'files/write' },
      summary: 'Store a file',
      description:
        'The body is the file. A new file needs no condition (`If-None-Match: *` ensures that it is new). An existing file ' +
        'is overwritten with `If-Match` and its ETag, or `*` for any version. The old content stays as a version for a time.',
      query: z.object({ path: pathQuery }),
      headers: conditions,
      body: { required: true, content: anyBytes },
      ok: {
        200: { ...routeAnswers.json('Overwritten', fileRecord), headers: etag },
        201: { ...routeAnswers.json('Kept', fileRecord), headers: etag },
      },
      errors: [...writeErrors, filesErrors.file_form_refused],
      maxBodyBytes: limits.maxFileBytes,
    },
    async c => {
      const at = filePath(c.req.valid('query').path)
      if (c.req.header('content-range') !== undefined || isEncoded(c.req.header('content-encoding'))) {
        throw filesErrors.file_form_refused()
      }
      const kept = await store.keep({
        actor: c.get('actor'),
        at,
        content: (c.req.raw.body ?? []) as unknown as AsyncIterable<Uint8Array>,
        size: sizeOf(c.req.header('content-length')),
        mediaType: c.req.header('content-type'),
        precondition: fromHeaders(conditionHeaders(name => c.req.header(name))),
      })
      return answerKept(c, kept)
    },
  ),
  route.delete(
    contentPath,
    {
      auth: { ucan: 'files/write' },
      summary: 'Delete a file',
      description: 'Requires `If-Match`. The file can be restored for a time, unless `forever=true`.',
      query: z.object({ path: pathQuery, forever: z.enum(['true', 'false']).default('false') }),
      headers: conditions,
      ok: { 204: { description: 'Deleted' } },
      errors: [...writeErrors, filesErrors.file_not_found],
    },
    async c => {
      const { path, forever } = c.req.valid('query')
      const precondition = fromHeaders(conditionHeaders(name => c.req.header(name)))
      await store.remove(c.get('actor').did, filePath(path), precondition, forever === 'true')
      return c.body(null, 204)
    },
  ),
]

/** Responds with a stored file: 201 if it is new, else 200. */
export const answerKept = (
  c: {
    header(name: string, value: string): void
    json(record: unknown, status: 200 | 201): Response
  },
  { file, created }: KeptFile,
): Response => {
  c.header('etag', entityTag(file.sha256))
  if (created) c.header('location', urlOf(file.path))
  return c.json(recordOf(file), created ? 201 : 200)
}

/** Returns the URL of a file at its oracle. */
export const urlOf = (path: string): string => `${contentPath}?path=${encodeURIComponent(path)}`

/** Returns the declared size of a request; undefined for a chunked one. */
const sizeOf = (length: string | undefined): number | undefined =>
  length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined

const isEncoded = (encoding: string | undefined): boolean =>
  encoding !== undefined && encoding.trim().toLowerCase() !== 'identity'

interface Named {
  readonly storage: FilesStorage
  readonly did: string
  readonly key: string
  readonly version: string | undefined
}

const find = async ({ storage, did, key, version }: Named) => {
  if (version === undefined) {
    const file = await findFile(storage.read, did, key)
    if (!file) throw filesErrors.file_not_found()
    return file
  }
  const found = await findVersion(storage.read, did, version)
  if (!found || filePath(found.path).key !== key) throw filesErrors.file_version_not_found()
  return found
}
