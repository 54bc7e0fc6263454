import { defineRoute, type Route, routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import { filePath } from '../file-path.ts'
import { fileRecord, versionRecord, versionRecordOf } from '../file-record.ts'
import { filesErrors } from '../files-errors.ts'

import { findVersion, listVersions } from '../store/file-queries.ts'
import { asHeadersSay } from '../store/precondition.ts'
import { conditionHeaders } from './condition-headers.ts'
import { answerKept, type ContentRoutesParts, pathQuery } from './content-routes.ts'
import { pageQuery, refused, tags } from './file-routes.ts'

/** What the caller's own files were before they were overwritten or deleted. */
export const versionRoutes = ({ storage, store }: Pick<ContentRoutesParts, 'storage' | 'store'>): Route[] => [
  defineRoute(
    { ucan: 'files/read' },
    {
      method: 'get',
      path: '/files/versions',
      tags,
      summary: 'Old versions and deleted files, those that ended last first',
      description: 'The content of one: `GET /files/content?path=…&version=…`.',
      request: { query: z.object({ path: pathQuery.optional(), ...pageQuery }) },
      responses: {
        200: routeAnswers.json(
          'The versions',
          z.object({ versions: z.array(versionRecord), next: z.string().optional() }),
        ),
        400: routeAnswers.problem('`file_path_invalid`, `files_cursor_invalid`, `input_invalid`'),
        ...refused,
      },
    },
    async c => {
      const { path, limit, cursor } = c.req.valid('query')
      const key = path === undefined ? undefined : filePath(path).key
      const { items, next } = await listVersions(storage.read, c.get('actor')!.did, { key, limit, cursor })
      return c.json({ versions: items.map(versionRecordOf), ...(next === undefined ? {} : { next }) }, 200)
    },
  ),
  defineRoute(
    { ucan: 'files/write' },
    {
      method: 'post',
      path: '/files/versions/{id}/restore',
      tags,
      summary: 'Make a version the file again',
      description: 'Where there is a file of that path by now, it needs `If-Match`; that file stays as a version.',
      request: {
        params: z.object({ id: z.string().min(1).max(20) }),
        headers: z.object({ 'if-match': z.string().optional(), 'if-none-match': z.string().optional() }),
      },
      responses: {
        200: routeAnswers.json('It took the place of the one that was there', fileRecord),
        201: routeAnswers.json('It is there again', fileRecord),
        ...refused,
        404: routeAnswers.problem('`file_version_not_found`'),
        409: routeAnswers.problem('`files_too_many`, `files_erased`'),
        412: routeAnswers.problem('`file_changed`'),
        413: routeAnswers.problem('`files_quota_reached`'),
        428: routeAnswers.problem('`file_condition_missing`'),
        503: routeAnswers.problem('`files_storage_failed`'),
      },
    },
    async c => {
      const { did } = c.get('actor')!
      const version = await findVersion(storage.read, did, c.req.valid('param').id)
      if (!version) throw filesErrors.file_version_not_found()
      const precondition = asHeadersSay(conditionHeaders(name => c.req.header(name)))
      const kept = await store.restore(did, version, filePath(version.path), precondition)
      return answerKept(c as never, kept) as never
    },
  ),
  defineRoute(
    { ucan: 'files/write' },
    {
      method: 'delete',
      path: '/files/versions',
      tags,
      summary: 'Delete old versions for good: those of one path, or all with `confirm=all`',
      request: {
        query: z.object({
          path: pathQuery.optional(),
          confirm: z.string().max(20).optional().meta({ description: '`all`', example: 'all' }),
        }),
      },
      responses: {
        200: routeAnswers.json('How many there were', z.object({ deleted: z.int() })),
        400: routeAnswers.problem('`file_path_invalid`, `files_confirmation_missing`'),
        ...refused,
      },
    },
    async c => {
      const { path, confirm } = c.req.valid('query')
      if (path === undefined && confirm !== 'all') throw filesErrors.files_confirmation_missing()
      const key = path === undefined ? undefined : filePath(path).key
      return c.json({ deleted: await store.forgetVersions(c.get('actor')!.did, key) }, 200)
    },
  ),
]
