import type { personFiles, ServiceOf } from '@sibyl/protocol'
import { filePath, folderPrefix } from './content/file-path.ts'
import type { FilesStorage } from './definitions/files-tables.ts'
import { contentPath, urlOf } from './http/content-routes.ts'
import type { SignedLinks } from './http/signed-links.ts'
import { entryInUrl, signedUrlOf } from './http/signed-routes.ts'
import { findEntry, findFile, findFiles, latestFiles } from './store/file-queries.ts'
import type { FileStore } from './store/file-store.ts'
import { anyState, mustBeFree } from './store/precondition.ts'
import type { FileFacts } from './store/stored-file.ts'
import type { PdfReader } from './text/pdf-reader.ts'

/** Maximum number of files in a list. */
const maxListed = 1_000

export interface PersonFilesDependencies {
  readonly storage: FilesStorage
  readonly store: FileStore
  readonly pdfs: PdfReader
  readonly links: SignedLinks
}

/** Creates the service of users' files for other plugins and core. */
export const personFilesOf = ({
  storage,
  store,
  pdfs,
  links,
}: PersonFilesDependencies): ServiceOf<typeof personFiles> => ({
  async list(did, { under } = {}) {
    const prefix = under === undefined ? undefined : folderPrefix(under)
    return (await latestFiles(storage.read, did, { prefix, limit: maxListed })).map(personFile)
  },
  async read(did, path) {
    const read = await store.read(did, filePath(path))
    return read && { file: personFile(read.file), content: read.content }
  },
  async write({ did, actor, path, content, mediaType, onTaken }) {
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
  async readPdf(did, path, signal) {
    const read = await store.read(did, filePath(path))
    if (!read) return undefined
    const { file, content } = read
    return await pdfs.read({ actor: { did, via: 'service' }, sha256: file.sha256, content, signal })
  },
  async linksTo(did, paths) {
    const keys = new Map(paths.map(path => [filePath(path).key, path]))
    const found: [string, string][] = []
    for (const { entry, key, sha256 } of await findFiles(storage.read, did, [...keys.keys()].slice(0, maxListed))) {
      found.push([keys.get(key) ?? key, signedUrlOf(entry, await links.sign({ entry, sha256 }))])
    }
    return new Map(found)
  },
  urlOf: path => urlOf(filePath(path).path),
  async findByUrl(did, url) {
    const named = namedBy(url)
    if (named === undefined) return undefined
    if (typeof named === 'string') {
      const file = await findFile(storage.read, did, filePath(named).key)
      return file && personFile(file)
    }
    const found = await findEntry(storage.read, named)
    return found?.did === did ? personFile(found.file) : undefined
  },
})

/** Yields an existing content as an upload. */
export async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

const personFile = ({ path, bytes, mediaType, sha256, updatedAt }: FileFacts) => ({
  path,
  bytes,
  mediaType,
  sha256,
  updatedAt: new Date(updatedAt).toISOString(),
})

/** Returns the path or the row in the URL of a file; only its path and query are used, and nothing is fetched. */
const namedBy = (url: string): string | number | undefined => {
  if (!URL.canParse(url, 'http://oracle')) return undefined
  const { protocol, pathname, searchParams } = new URL(url, 'http://oracle')
  if (!/^https?:$/.test(protocol)) return undefined
  if (!pathname.endsWith(contentPath)) return entryInUrl(pathname)
  return searchParams.get('path') ?? undefined
}
