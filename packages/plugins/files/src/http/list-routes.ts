import { listErrors, page, type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { filePath, folderPrefix } from '../content/file-path.ts'
import { filesErrors } from '../definitions/files-errors.ts'
import { fileRecord, filesUsage, versionRecord } from '../records/index.ts'
import { findVersion, listFiles, listVersions, pageSize, searchFiles } from '../store/file-queries.ts'
import { fromHeaders } from '../store/precondition.ts'
import { recordOf, versionRecordOf } from '../store/stored-file.ts'
import { conditionHeaders } from './condition-headers.ts'
import { answerKept, type ContentRoutesDependencies, pathQuery } from './content-routes.ts'

const filePage = page({ name: 'files', item: fileRecord, ...pageSize })
const versionPage = page({ name: 'versions', item: versionRecord, ...pageSize })
const day = 86_400_000

/** Creates the routes that list the caller's own files and their old versions. */
export const listRoutes = ({ storage, store, limits }: ContentRoutesDependencies): Route[] => [
  route.get(
    '/files',
    {
      auth: { ucan: 'files/read' },
      summary: 'List your files by path, with their total size',
      query: filePage.query.extend({
        under: z.string().min(1).max(4_096).optional().meta({ description: 'A folder', example: 'reports' }),
      }),
      ok: { 200: { description: 'The files', schema: filePage.response.extend({ usage: filesUsage }) } },
      errors: [filesErrors.file_path_invalid, listErrors.cursor_invalid],
    },
    async c => {
      const { under, limit, cursor } = c.req.valid('query')
      const { did } = c.get('actor')
      const prefix = under === undefined ? undefined : folderPrefix(under)
      const { items, ...next } = await listFiles(storage.read, did, { prefix, limit, cursor })
      const used = await store.usedBy(did)
      const { quotaBytes, maxFileBytes, versionMs } = limits
      const usage = { ...used, quotaBytes, maxFileBytes, versionDays: versionMs / day }
      return c.json({ files: items.map(recordOf), ...next, usage }, 200)
    },
  ),
  route.get(
    '/files/search',
    {
      auth: { ucan: 'files/read' },
      summary: 'Search your files by words in path or text, best first',
      query: z.object({
        q: z.string().trim().min(1).max(500).meta({ example: 'cook stoves' }),
        limit: z.coerce.number().int().min(1).max(100).default(20),
      }),
      ok: { 200: { description: 'The files', schema: z.object({ files: z.array(fileRecord) }) } },
    },
    async c => {
      const { q, limit } = c.req.valid('query')
      const found = await searchFiles(storage, c.get('actor').did, q, limit)
      return c.json({ files: found.map(recordOf) }, 200)
    },
  ),
  route.get(
    '/files/versions',
    {
      auth: { ucan: 'files/read' },
      summary: 'List old versions and deleted files, latest first',
      description: 'The content of a version: `GET /files/content?path=…&version=…`.',
      query: versionPage.query.extend({ path: pathQuery.optional() }),
      ok: { 200: { description: 'The versions', schema: versionPage.response } },
      errors: [filesErrors.file_path_invalid, listErrors.cursor_invalid],
    },
    async c => {
      const { path, limit, cursor } = c.req.valid('query')
      const key = path === undefined ? undefined : filePath(path).key
      const { items, ...next } = await listVersions(storage.read, c.get('actor').did, { key, limit, cursor })
      return c.json({ versions: items.map(versionRecordOf), ...next }, 200)
    },
  ),
  route.post(
    '/files/versions/{id}/restore',
    {
      auth: { ucan: 'files/write' },
      summary: 'Restore a version',
      description: 'If a file with that path exists, `If-Match` is required; that file stays as a version.',
      params: z.object({ id: z.string().min(1).max(20) }),
      headers: z.object({ 'if-match': z.string().optional(), 'if-none-match': z.string().optional() }),
      ok: {
        200: { description: 'The version replaced the existing file', schema: fileRecord },
        201: { description: 'The file was restored', schema: fileRecord },
      },
      errors: [
        filesErrors.file_version_not_found,
        filesErrors.files_too_many,
        filesErrors.files_erased,
        filesErrors.file_changed,
        filesErrors.files_quota_reached,
        filesErrors.file_condition_missing,
        filesErrors.files_storage_failed,
      ],
    },
    async c => {
      const { did } = c.get('actor')
      const version = await findVersion(storage.read, did, c.req.valid('param').id)
      if (!version) throw filesErrors.file_version_not_found()
      const precondition = fromHeaders(conditionHeaders(name => c.req.header(name)))
      const kept = await store.restore(did, version, filePath(version.path), precondition)
      return answerKept(c, kept)
    },
  ),
  route.delete(
    '/files/versions',
    {
      auth: { ucan: 'files/write' },
      summary: 'Delete old versions permanently: those of one path, or all with `confirm=all`',
      query: z.object({
        path: pathQuery.optional(),
        confirm: z.string().max(20).optional().meta({ description: '`all`', example: 'all' }),
      }),
      ok: { 200: { description: 'Number of deleted versions', schema: z.object({ deleted: z.int() }) } },
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
