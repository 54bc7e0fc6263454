import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ContentsLocation } from '../contract/owned-files.ts'
import { type ObjectStore, openObjectStore } from '../objects/object-store.ts'
import { syncFolder } from '../sqlite/sync-folder.ts'
import { type Digest, digestOf, fileWriter, openSource, type WriteContent } from './stored-object.ts'

/** The contents of an owner: in a folder, or in an object store. */
export interface ContentPlace {
  /** Reads a content; undefined if it does not exist. */
  read(path: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Returns the function that writes a content durably. @param bytes its size, if it may be large */
  writer(path: string, bytes?: number): WriteContent
}

/** Opens the place of contents; reads and writes nothing yet. */
export const openContentPlace = async ({ directory, objects }: ContentsLocation): Promise<ContentPlace> =>
  objects === undefined ? folderPlace(directory) : objectPlace(await openObjectStore(objects), partBeside)

/** @param partOf returns the name of an upload until it is complete */
export const objectPlace = (store: ObjectStore, partOf: (path: string) => string): ContentPlace => ({
  read: async path => (await store.get(path))?.content,
  writer: (path, bytes) => (content, check) => {
    const keyOf = () => {
      check()
      return path
    }
    return store.upload(content, { part: partOf(path), keyOf, bytes })
  },
})

/** Returns size and SHA-256 of a content; undefined if it does not exist. */
export const digestAt = async (place: ContentPlace, path: string): Promise<Digest | undefined> => {
  const content = await place.read(path)
  return content && digestOf(content)
}

export const folderPlace = (directory: string): ContentPlace => ({
  async read(path) {
    const source = await openSource(join(directory, path)).catch(error => {
      if (error.code !== 'ENOENT') throw error
    })
    return source?.createReadStream({ highWaterMark: 1 << 18 })
  },
  writer: path => async (content, check) => {
    const to = join(directory, path)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await fileWriter({ to, part: join(directory, partBeside(path)) })(content, check)
    await syncFolder(dirname(to))
  },
})

/** A name that the store of files takes for an interrupted upload, and deletes. */
const partBeside = (path: string): string => join(dirname(path), `${randomBytes(12).toString('hex')}.part`)
