import { baseName } from '../file-path.ts'
import { sentMediaType } from '../media-type.ts'
import type { StoredFile, StoredVersion } from '../store/stored-file.ts'
import { entityTag } from './condition-headers.ts'

/**
 * The headers with which a content is sent: it is saved and never drawn, and what is in it may do nothing.
 *
 * @see RFC 6266 and RFC 8187 for the name
 */
export const contentHeaders = (found: StoredFile | StoredVersion): Readonly<Record<string, string>> => ({
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
