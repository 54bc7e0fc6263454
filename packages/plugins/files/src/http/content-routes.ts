import { defineRoute, type Route, routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import { filePath } from '../file-path.ts'
import { fileRecord, recordOf } from '../file-record.ts'
import { filesErrors } from '../files-errors.ts'

import type { FilesLimits } from '../files-limits.ts'
import { findFile, findVersion } from '../store/file-queries.ts'
import type { FileStore, KeptFile } from '../store/file-store.ts'
import type { FilesStorage } from '../store/files-tables.ts'
import { asHeadersSay } from '../store/precondition.ts'
import { conditionHeaders, entityTag } from './condition-headers.ts'
import { refused, tags } from './file-routes.ts'
import { type AnswerContext, sendContent } from './send-content.ts'

/** What the contents rest on. */
export interface ContentRoutesParts {
  readonly storage: FilesStorage
  readonly store: FileStore
  readonly limits: FilesLimits
}

/** Where contents are. */
export const contentPath = '/files/content'

/** Names a file in a query. */
export const pathQuery = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: 'The path of the file', example: 'reports/2026-W47.md' })
const conditions = z.object({ 'if-match': z.string().optional(), 'if-none-match': z.string().optional() })
const anyBytes = { '*/*': { schema: z.string().meta({ format: 'binary' }) } }
const etag = { ETag: { description: 'Names this content', schema: { type: 'string' as const } } }
const writeRefusals = {
  400: routeAnswers.problem('`file_path_invalid`, `input_invalid`'),
  ...refused,
  409: routeAnswers.problem('`files_too_many`, `files_erased`'),
  412: routeAnswers.problem('`file_changed`: what is there is not what the condition says'),
  413: routeAnswers.problem('`body_too_large`, `file_too_large`, `files_quota_reached`, `files_share_reached`'),
  428: routeAnswers.problem('`file_condition_missing`: there is a file, and no `If-Match`'),
  503: routeAnswers.problem('`files_storage_failed`'),
  507: routeAnswers.problem('`files_full`, `files_disk_low`'),
}

/** The contents of the caller's own files. */
export const contentRoutes = ({ storage, store, limits }: ContentRoutesParts): Route[] => [
  defineRoute(
    { ucan: 'files/read' },
    {
      method: 'get',
      path: contentPath,
      tags,
      summary: 'The content of a file, or of an old version of one',
      description:
        'Takes HEAD, `Range` of one part, `If-Range`, `If-Match` and `If-None-Match`. It is always sent to be saved.',
      request: {
        query: z.object({
          path: pathQuery,
          version: z
            .string()
            .max(20)
            .optional()
            .meta({ description: 'The id of a version of that path', example: 'v12' }),
        }),
        headers: conditions.extend({ range: z.string().optional(), 'if-range': z.string().optional() }),
      },
      responses: {
        200: { description: 'All of it', headers: etag, content: anyBytes },
        206: { description: 'The part that was asked for', headers: etag, content: anyBytes },
        304: { description: 'Not changed', headers: etag },
        400: routeAnswers.problem('`file_path_invalid`, `input_invalid`'),
        ...refused,
        404: routeAnswers.problem('`file_not_found`, `file_version_not_found`'),
        412: routeAnswers.problem('`file_changed`'),
        416: routeAnswers.problem('`file_range_invalid`'),
        503: routeAnswers.problem('`files_storage_failed`'),
      },
    },
    async c => {
      const { path, version } = c.req.valid('query')
      const { did } = c.get('actor')!
      const { key } = filePath(path)
      const context = c as unknown as AnswerContext
      const found = await find({ storage, did, key, version })
      const open = async () => {
        const opened = await store.open(found, () => find({ storage, did, key, version }))
        if (!opened) throw filesErrors.file_not_found()
        return opened
      }
      return (await sendContent(context, found, open)) as never
    },
  ),
  defineRoute(
    { ucan: 'files/write' },
    {
      method: 'put',
      path: contentPath,
      tags,
      summary: 'Keep a file',
      description:
        'The body is the file. A new one needs no condition (`If-None-Match: *` makes sure that it is new); one that is there ' +
        'is overwritten with `If-Match` and its ETag, or `*` for whatever it is. The old one stays as a version for a time.',
      request: {
        query: z.object({ path: pathQuery }),
        headers: conditions,
        body: { required: true, content: anyBytes },
      },
      responses: {
        200: { ...routeAnswers.json('Overwritten', fileRecord), headers: etag },
        201: { ...routeAnswers.json('Kept', fileRecord), headers: etag },
        ...writeRefusals,
        415: routeAnswers.problem('`file_form_refused`'),
      },
    },
    async c => {
      const at = filePath(c.req.valid('query').path)
      if (c.req.header('content-range') !== undefined || isEncoded(c.req.header('content-encoding'))) {
        throw filesErrors.file_form_refused()
      }
      const kept = await store.keep({
        actor: c.get('actor')!,
        at,
        content: (c.req.raw.body ?? []) as unknown as AsyncIterable<Uint8Array>,
        size: sizeOf(c.req.header('content-length')),
        mediaType: c.req.header('content-type'),
        precondition: asHeadersSay(conditionHeaders(name => c.req.header(name))),
      })
      return answerKept(c as never, kept) as never
    },
    { maxBodyBytes: limits.maxFileBytes },
  ),
  defineRoute(
    { ucan: 'files/write' },
    {
      method: 'delete',
      path: contentPath,
      tags,
      summary: 'Delete a file',
      description: 'Needs `If-Match`. It can be brought back for a time, unless `forever=true`.',
      request: {
        query: z.object({ path: pathQuery, forever: z.enum(['true', 'false']).default('false') }),
        headers: conditions,
      },
      responses: { 204: { description: 'Deleted' }, ...writeRefusals, 404: routeAnswers.problem('`file_not_found`') },
    },
    async c => {
      const { path, forever } = c.req.valid('query')
      const precondition = asHeadersSay(conditionHeaders(name => c.req.header(name)))
      await store.remove(c.get('actor')!.did, filePath(path), precondition, forever === 'true')
      return c.body(null, 204)
    },
  ),
]

/** Answers with a file that was kept: 201 where there was none, else 200. */
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

/** The address of a file at its oracle. */
export const urlOf = (path: string): string => `${contentPath}?path=${encodeURIComponent(path)}`

/** How many bytes a request says it has; undefined for one that comes in pieces. */
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
