import { type Route, route, routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import { folderPrefix } from '../file-path.ts'
import { fileRecord, recordOf } from '../file-record.ts'
import { filesErrors } from '../files-errors.ts'
import type { FilesLimits } from '../files-limits.ts'
import { listFiles, searchFiles, usedBy } from '../store/file-queries.ts'
import type { FilesStorage } from '../store/files-tables.ts'

export interface FileListParts {
  readonly storage: FilesStorage
  readonly limits: FilesLimits
}

/** What every route of the plugin says of itself. */
export const tags = ['Files']
/** What all of them may answer. */
export const refused = { 401: routeAnswers.problem('Not authenticated'), 403: routeAnswers.problem('Not allowed') }

/** How a page of a list is asked for. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  cursor: z.string().min(1).max(2_000).optional().meta({ description: 'The `next` of the page before' }),
}
const next = z.string().optional().meta({ description: 'The `cursor` of the next page; missing on the last one' })
const usage = z.object({
  bytes: z.int().meta({ description: 'Of all contents, each counted once, old versions included' }),
  quotaBytes: z.int(),
  maxFileBytes: z.int(),
  files: z.int(),
  versions: z.int(),
  versionDays: z.int().meta({ description: 'How long overwritten and deleted files can be brought back' }),
})

const day = 86_400_000

/** The caller's own files as lists. */
export const fileRoutes = ({ storage, limits }: FileListParts): Route[] => [
  route.get(
    '/files',
    {
      auth: { ucan: 'files/read' },
      summary: 'Your files by their paths, and how much room they take',
      query: z.object({
        under: z.string().min(1).max(4_096).optional().meta({ description: 'A folder', example: 'reports' }),
        ...pageQuery,
      }),
      ok: { 200: { description: 'The files', schema: z.object({ files: z.array(fileRecord), next, usage }) } },
      errors: [filesErrors.file_path_invalid, filesErrors.files_cursor_invalid],
    },
    async c => {
      const { under, limit, cursor } = c.req.valid('query')
      const { did } = c.get('actor')
      const prefix = under === undefined ? undefined : folderPrefix(under)
      const { items, next: more } = await listFiles(storage.read, did, { prefix, limit, cursor })
      const used = await usedBy(storage.read, did)
      return c.json(
        {
          files: items.map(recordOf),
          ...(more === undefined ? {} : { next: more }),
          usage: {
            ...used,
            quotaBytes: limits.quotaBytes,
            maxFileBytes: limits.maxFileBytes,
            versionDays: limits.versionMs / day,
          },
        },
        200,
      )
    },
  ),
  route.get(
    '/files/search',
    {
      auth: { ucan: 'files/read' },
      summary: 'Your files that have words in their path or text, those that fit best first',
      query: z.object({
        q: z.string().trim().min(1).max(500).meta({ example: 'cook stoves' }),
        limit: z.coerce.number().int().min(1).max(100).default(20),
      }),
      ok: { 200: { description: 'The files', schema: z.object({ files: z.array(fileRecord) }) } },
    },
    async c => {
      const { q, limit } = c.req.valid('query')
      const found = await searchFiles(storage.read, c.get('actor').did, q, limit)
      return c.json({ files: found.map(recordOf) }, 200)
    },
  ),
]
