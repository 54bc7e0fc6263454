import type { FileToKeep, PersonFile, PersonFiles } from '@sibyl/protocol'
import { filePath, folderPrefix } from './content/file-path.ts'
import type { FilesStorage } from './definitions/files-tables.ts'
import { contentPath, urlOf } from './http/content-routes.ts'
import { findFile, latestFiles } from './store/file-queries.ts'
import type { FileStore } from './store/file-store.ts'
import { anyState, mustBeFree } from './store/precondition.ts'
import type { FileFacts } from './store/stored-file.ts'

/** Maximum number of files in a list. */
const mostListed = 1_000

/** Creates the service of users' files for other plugins and core. */
export const personFilesOf = (storage: FilesStorage, store: FileStore): PersonFiles => ({
  async list(did, { under } = {}) {
    const prefix = under === undefined ? undefined : folderPrefix(under)
    return (await latestFiles(storage.read, did, { prefix, limit: mostListed })).map(personFile)
  },
  async read(did, path) {
    const read = await store.read(did, filePath(path))
    return read && { file: personFile(read.file), content: read.content }
  },
  async write({ did, actor, path, content, mediaType, onTaken }: FileToKeep) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const { file } = await store.keep({
      actor: { via: 'service', ...actor, did },
      at: filePath(path),
      content: once(bytes),
      size: bytes.byteLength,
      mediaType,
      precondition: onTaken === 'refuse' ? mustBeFree : anyState,
      renames: onTaken === 'rename',
    })
    return personFile(file)
  },
  urlOf: path => urlOf(filePath(path).path),
  async findByUrl(did, url) {
    const path = pathIn(url)
    const file = path === undefined ? undefined : await findFile(storage.read, did, filePath(path).key)
    return file && personFile(file)
  },
})

/** Yields an existing content as an upload. */
export async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

const personFile = ({ path, bytes, mediaType, sha256, updatedAt }: FileFacts): PersonFile => ({
  path,
  bytes,
  mediaType,
  sha256,
  updatedAt: new Date(updatedAt).toISOString(),
})

/** Returns the path in the URL of a file; only its path and query are used, and nothing is fetched. */
const pathIn = (url: string): string | undefined => {
  if (!URL.canParse(url, 'http://oracle')) return undefined
  const { protocol, pathname, searchParams } = new URL(url, 'http://oracle')
  if (!/^https?:$/.test(protocol) || !pathname.endsWith(contentPath)) return undefined
  return searchParams.get('path') ?? undefined
}
