import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { storageErrors } from './errors/storage-errors.ts'

/** Where the database is. */
export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'sqlite'; readonly path: undefined }
  | { readonly engine: 'postgres'; readonly url: URL }

const MEMORY_URLS = new Set(['memory:', ':memory:', 'file::memory:'])

const filePath = (url: string): string => {
  const rest = url.slice('file:'.length)
  if (rest.includes('?') || rest.includes('#'))
    throw storageErrors.database_url_invalid({ problem: "must not have '?' or '#' in a file: URL" })
  if (rest === '' || rest.endsWith('/'))
    throw storageErrors.database_url_invalid({ problem: 'has no path after file:' })
  if (!rest.startsWith('//')) return resolve(rest)
  try {
    return fileURLToPath(url)
  } catch {
    throw storageErrors.database_url_invalid({
      problem: 'is not a valid file: URL; use file:/folder/name.db or file:./folder/name.db',
    })
  }
}

/**
 * Reads a database URL. A path undefined stands for a temporary database.
 *
 * @throws `database_url_invalid`; its text never holds the URL
 */
export const parseDatabaseUrl = (url: string): DatabaseLocation => {
  if (MEMORY_URLS.has(url)) return { engine: 'sqlite', path: undefined }
  if (url.startsWith('file:')) return { engine: 'sqlite', path: filePath(url) }
  // A user without a host, whose socket is in the query: URL requires a host.
  const socketUrl = url.replace(/^(postgres(?:ql)?:\/\/[^@/?#]*@)(?=\/|\?|$)/, '$1localhost')
  if (socketUrl !== url) return { engine: 'postgres', url: new URL(socketUrl) }
  if (!URL.canParse(url)) throw storageErrors.database_url_invalid({ problem: 'is not a URL' })
  const parsed = new URL(url)
  if (parsed.protocol === 'postgres:' || parsed.protocol === 'postgresql:') return { engine: 'postgres', url: parsed }
  throw storageErrors.database_url_invalid({ problem: `has the unknown scheme '${parsed.protocol.slice(0, 20)}'` })
}
