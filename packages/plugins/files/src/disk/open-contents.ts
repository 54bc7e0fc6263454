import { objectLocation, openObjectStore } from '@sibyl/plugin/storage'
import type { FilesEnv } from '../definitions/files-env.ts'
import { placeDiffers, placeUnusable } from '../definitions/files-errors.ts'
import type { FilesStorage } from '../definitions/files-tables.ts'
import { BlobDisk } from './blob-disk.ts'
import { BlobObjects, isObjectError } from './blob-objects.ts'
import { type BlobStore, nameToken } from './blob-store.ts'
import { checkFolder, markedFolder } from './check-folder.ts'
import { claimContents, type MarkedPlace, markName } from './claim-contents.ts'

/** The storage of contents, checked. */
export interface OpenContents {
  readonly disk: BlobStore
  /** Returns why it does not work now. */
  reason(): string | undefined
}

/**
 * Opens the folder of FILES_DIR, or the object store of FILES_URL.
 *
 * @throws BootError `files_folder_unusable`, `files_folder_differs`
 */
export const openContents = async (env: FilesEnv, storage: FilesStorage): Promise<OpenContents> => {
  const { store, mark } = await storage.read.selectFrom('files_store').selectAll().executeTakeFirstOrThrow()
  if (env.FILES_URL !== undefined) return openObjects(env.FILES_URL, env, { storage, store, mark })
  await checkFolder(env.FILES_DIR, store)
  if (storage.engine === 'postgres' || mark !== null) await claimContents(storage, markedFolder(env.FILES_DIR, store))
  return { disk: new BlobDisk(env.FILES_DIR, store), reason: () => undefined }
}

/** Errors that a later start may not meet. */
const temporary: ReadonlySet<string> = new Set(['object_store_unavailable', 'object_store_full'])

const openObjects = async (
  url: string,
  env: FilesEnv,
  { storage, store, mark }: { readonly storage: FilesStorage; readonly store: string; readonly mark: string | null },
): Promise<OpenContents> => {
  try {
    const objects = await openObjectStore(objectLocation(url, env))
    const keyOf = (name: string) => `${store}/${markName(name)}`
    const place: MarkedPlace = {
      has: async name => (await objects.sizeOf(keyOf(name))) !== undefined,
      add: name => objects.put(keyOf(name), ''),
      remove: name => objects.remove([keyOf(name)]),
      differs: name => placeDiffers({ variable: 'FILES_URL', value: url, mark: name && keyOf(name) }),
    }
    const probe = `${store}/.${nameToken()}.probe`
    await objects.put(probe, '').catch(error => {
      // A full store still allows reading files.
      if (error.code !== 'object_store_full') throw error
    })
    await objects.remove([probe])
    const known = mark === null ? await oneContent(storage) : undefined
    if (known && (await objects.sizeOf(`${store}/${known}`)) === undefined) throw place.differs('')
    await claimContents(storage, place)
    const disk = new BlobObjects(objects, store)
    return { disk, reason: () => disk.reason() }
  } catch (error) {
    if (!isObjectError(error)) throw error
    const problem = { problem: `. ${error.message}`, isTemporary: temporary.has(error.code) }
    throw placeUnusable({ variable: 'FILES_URL', value: url, ...problem }, error)
  }
}

/** Returns the name of a content of the database. */
const oneContent = async ({ read }: FilesStorage): Promise<string | undefined> => {
  const blobs = read
    .selectFrom('files_blobs as blobs')
    .innerJoin('files_people as people', 'people.person', 'blobs.person')
  const one = await blobs.select(['people.folder', 'blobs.file']).limit(1).executeTakeFirst()
  return one && `${one.folder}/${one.file}`
}
