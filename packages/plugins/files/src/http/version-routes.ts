import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { filePath } from '../file-path.ts'
import { fileRecord, versionRecord, versionRecordOf } from '../file-record.ts'
import { filesErrors } from '../files-errors.ts'

import { findVersion, listVersions } from '../store/file-queries.ts'
import { asHeadersSay } from '../store/precondition.ts'
import { conditionHeaders } from './condition-headers.ts'
import { answerKept, type ContentRoutesParts, pathQuery } from './content-routes.ts'
import { pageQuery } from './file-routes.ts'

/** What the caller's own files were before they were overwritten or deleted. */
export const versionRoutes = ({ storage, store }: Pick<ContentRoutesParts, 'storage' | 'store'>): Route[] => [
  route.get(
    '/files/versions',
    {
      auth: { ucan: 'files/read' },
      summary: 'Old versions and deleted files, those that ended last first',
      description: 'The content of one: `GET /files/content?path=…&version=…`.',
      query: z.object({ path: pathQuery.optional(), ...pageQuery }),
      ok: {
        200: {
          description: 'The versions',
          schema: z.object({ versions: z.array(versionRecord), next: z.string().optional() }),
        },
      },
      errors: [filesErrors.file_path_invalid, filesErrors.files_cursor_invalid],
    },
    async c => {
      const { path, limit, cursor } = c.req.valid('query')
      const key = path === undefined ? undefined : filePath(path).key
      const { items, next } = await listVersions(storage.read, c.get('actor').did, { key, limit, cursor })
      return c.json({ versions: items.map(versionRecordOf), ...(next === undefined ? {} : { next }) }, 200)
    },
  ),
  route.post(
    '/files/versions/{id}/restore',
    {
      auth: { ucan: 'files/write' },
      summary: 'Make a version the file again',
      description: 'Where there is a file of that path by now, it needs `If-Match`; that file stays as a version.',
      params: z.object({ id: z.string().min(1).max(20) }),
      headers: z.object({ 'if-match': z.string().optional(), 'if-none-match': z.string().optional() }),
      ok: {
        200: { description: 'It took the place of the one that was there', schema: fileRecord },
        201: { description: 'It is there again', schema: fileRecord },
      },
      errors: [
        filesErrors.file_version_not_found,
        { code: 'files_too_many', status: 409 },
        filesErrors.files_erased,
        filesErrors.file_changed,
        { code: 'files_quota_reached', status: 413 },
        filesErrors.file_condition_missing,
        { code: 'files_storage_failed', status: 503 },
      ],
    },
    async c => {
      const { did } = c.get('actor')
      const version = await findVersion(storage.read, did, c.req.valid('param').id)
      if (!version) throw filesErrors.file_version_not_found()
      const precondition = asHeadersSay(conditionHeaders(name => c.req.header(name)))
      const kept = await store.restore(did, version, filePath(version.path), precondition)
      return answerKept(c, kept)
    },
  ),
  route.delete(
    '/files/versions',
    {
      auth: { ucan: 'files/write' },
      summary: 'Delete old versions for good: those of one path, or all with `confirm=all`',
      query: z.object({
        path: pathQuery.optional(),
        confirm: z.string().max(20).optional().meta({ description: '`all`', example: 'all' }),
      }),
      ok: { 200: { description: 'How many there were', schema: z.object({ deleted: z.int() }) } },
      errors: [filesErrors.file_path_invalid, filesErrors.files_confirmation_missing],
    },
    async c => {
      const { path, confirm } = c.req.valid('query')
      if (path === undefined && confirm !== 'all') throw filesErrors.files_confirmation_missing()
      const key = path === undefined ? undefined : filePath(path).key
      return c.json({ deleted: await store.forgetVersions(c.get('actor').did, key) }, 200)
    },
  ),
]
