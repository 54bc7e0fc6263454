import { createHash } from 'node:crypto'
import { ReadableStream } from 'node:stream/web'
import { baseName } from '../content/file-path.ts'
import { sentMediaType } from '../content/media-type.ts'
import { filesErrors } from '../definitions/files-errors.ts'
import type { ByteRange, OpenBlob } from '../disk/blob-store.ts'
import type { StoredFile, StoredVersion } from '../store/stored-file.ts'
import { entityTag, rangeFits, readVerdict } from './condition-headers.ts'

/** The parts of a handler's context that a response needs. */
export interface AnswerContext {
  readonly req: { readonly method: string; header(name: string): string | undefined }
  header(name: string, value: string): void
  body(data: globalThis.ReadableStream | null, status: 200 | 206 | 304, headers: Record<string, string>): Response
}

/** A content that is open for reading. */
export interface OpenContent {
  readonly found: StoredFile | StoredVersion
  readonly opened: OpenBlob
}

/**
 * Answers a GET or HEAD of a content, with its conditions and its range (RFC 9110, sections 13 and 14). The opened
 * content is always closed.
 *
 * @param open Opens the content or a part of it, once it is needed.
 * @param more Headers beside those of the content.
 * @throws `file_changed`, `file_range_invalid`, and the errors of `open`
 */
export const sendContent = async (
  c: AnswerContext,
  found: StoredFile | StoredVersion,
  open: (range: ByteRange | undefined) => Promise<OpenContent>,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> => {
  const header = (name: string) => c.req.header(name)
  const headers = { ...contentHeaders(found), ...more }
  const verdict = readVerdict(found.sha256, header)
  if (verdict === 'changed') throw filesErrors.file_changed()
  if (verdict === 'unchanged') {
    const { etag = '', 'cache-control': caching = '' } = contentHeaders(found)
    return c.body(null, 304, { etag, 'cache-control': caching, ...more })
  }
  const asked = c.req.method === 'GET' && rangeFits(found.sha256, header) ? header('range') : undefined
  const range = byteRange(asked, found.bytes)
  if (range === 'unsatisfiable') {
    c.header('content-range', `bytes */${found.bytes}`)
    throw filesErrors.file_range_invalid({ bytes: found.bytes.toLocaleString('en') })
  }
  const { from, to } = range ?? { from: 0, to: found.bytes - 1 }
  const all = { ...headers, 'content-length': String(to - from + 1) }
  if (c.req.method === 'HEAD') return c.body(null, 200, all)
  const content = await open(range)
  if (content.found.sha256 !== found.sha256) {
    await content.opened.close()
    return sendContent(c, content.found, open, more)
  }
  const body = streamed(content, { from, to })
  if (!range) return c.body(body, 200, all)
  return c.body(body, 206, { ...all, 'content-range': `bytes ${from}-${to}/${found.bytes}` })
}

/**
 * Streams a content. The complete content is compared with its hash, and the stream is aborted before its end if they
 * differ.
 */
const streamed = ({ found, opened }: OpenContent, { from, to }: ByteRange): globalThis.ReadableStream => {
  const hash = from === 0 && to === found.bytes - 1 ? createHash('sha256') : undefined
  const pieces = opened.content[Symbol.asyncIterator]()
  let position = from
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value } = position > to ? {} : await pieces.next()
          position += value?.byteLength ?? 0
          const isLast = position > to
          if (value) hash?.update(value)
          const isWrong = position > to + 1 || (isLast && hash !== undefined && hash.digest('hex') !== found.sha256)
          if (isWrong || (value === undefined && !isLast)) throw filesErrors.files_storage_failed()
          if (value) controller.enqueue(value)
          if (!isLast) return
          await opened.close()
          controller.close()
        } catch (error) {
          await opened.close()
          throw error
        }
      },
      cancel: () => opened.close(),
    },
    { highWaterMark: 0 },
  )
  return stream as unknown as globalThis.ReadableStream
}

/**
 * Returns the headers of a content: it is downloaded and never rendered, and cannot run anything.
 *
 * @see RFC 6266 and RFC 8187 for the name
 */
const contentHeaders = (found: StoredFile | StoredVersion): Readonly<Record<string, string>> => ({
  'content-type': sentMediaType(found.mediaType),
  'content-disposition': disposition(baseName(found.path)),
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
  'accept-ranges': 'bytes',
  etag: entityTag(found.sha256),
})

const disposition = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["%\\]/gu, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}

/**
 * Parses the header `Range` (RFC 9110, section 14.2).
 *
 * @returns undefined for the whole content, also if the header is invalid or requests several parts
 */
const byteRange = (header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined => {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Number(last)
    if (length === 0) return 'unsatisfiable'
    return bytes === 0 ? undefined : { from: Math.max(0, bytes - length), to: bytes - 1 }
  }
  const from = Number(first)
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < from) return undefined
  return from >= bytes ? 'unsatisfiable' : { from, to }
}
