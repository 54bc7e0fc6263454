import { z } from 'zod'
import type { FileFacts, StoredVersion } from './store/stored-file.ts'

const content = {
  path: z.string().meta({ description: "Relative to one's own folder", example: 'reports/2026-W47.md' }),
  bytes: z.int().min(0),
  mediaType: z.string().meta({ example: 'text/markdown' }),
  sha256: z.string().meta({ description: 'Of the content, in hexadecimal; in quotes, it is the ETag' }),
}

/** A file as it is told to its owner. */
export const fileRecord = z.object({ ...content, createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() })
/** A version as it is told to its owner. */
export const versionRecord = z.object({
  id: z.string().meta({ example: 'v12' }),
  ...content,
  writtenAt: z.iso.datetime(),
  endedAt: z.iso.datetime().meta({ description: 'When it was overwritten or deleted' }),
  reason: z.enum(['replaced', 'deleted']),
})

export type FileRecord = z.output<typeof fileRecord>
export type VersionRecord = z.output<typeof versionRecord>

const iso = (at: number) => new Date(at).toISOString()

export const recordOf = ({ path, bytes, mediaType, sha256, createdAt, updatedAt }: FileFacts): FileRecord => ({
  path,
  bytes,
  mediaType,
  sha256,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})

export const versionRecordOf = ({ id, path, bytes, mediaType, sha256, ...rest }: StoredVersion): VersionRecord => ({
  id,
  path,
  bytes,
  mediaType,
  sha256,
  writtenAt: iso(rest.writtenAt),
  endedAt: iso(rest.endedAt),
  reason: rest.reason,
})

/** A number of bytes in words, such as '1,204 bytes'. */
export const bytesText = (bytes: number): string => `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`
