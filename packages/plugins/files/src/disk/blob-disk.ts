import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, realpath, rename, rmdir, statfs, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { filesErrors } from '../definitions/files-errors.ts'
import { makeIn, plainFolder, syncFolder, unlessMissing } from './folders.ts'

/** A content on the disk. */
export interface Blob {
  /** Folder of its person: a hash. */
  readonly folder: string
  /** Its name: its SHA-256 and a random part, never reused. */
  readonly file: string
  readonly bytes: number
}

/** A content that was just written. */
export interface NewBlob extends Blob {
  /** Hexadecimal. */
  readonly sha256: string
  /** Its beginning, for the index of words. */
  readonly head: Uint8Array
}

/** Called with the total size including the next piece, before that piece is written; a rejection aborts the upload. */
export type ReserveSpace = (total: number) => Promise<void>

/** Number of bytes that are returned for the index of words. */
export const headBytes = 262_144

const folderName = /^[0-9a-f]{64}$/
const blobName = /^[0-9a-f]{64}\.[0-9a-f]{24}$|^[0-9a-f]{24}\.part$/
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const token = () => randomBytes(12).toString('hex')

/**
 * The storage of contents: one folder per person, with names that no client chose. Symbolic links and special files in
 * it are rejected.
 *
 * @param directory FILES_DIR.
 * @param store The name of the database's subfolder.
 */
export class BlobDisk {
  readonly #directory: string
  readonly #store: string
  /** Contents that this process is writing and that may have no row yet: `<folder>/<file>`. */
  readonly #underWay = new Set<string>()

  constructor(directory: string, store: string) {
    this.#directory = resolve(directory)
    this.#store = store
  }

  /**
   * Writes a content, and moves it into place once it is on disk; a failure leaves nothing. The content counts as in
   * progress until `settle`.
   *
   * @throws `files_storage_failed`, the errors of `take`, and those of the source
   */
  async keep(folder: string, source: AsyncIterable<Uint8Array>, take: ReserveSpace): Promise<NewBlob> {
    const place = await this.#makeFolder(folder)
    const partName = `${token()}.part`
    const part = join(place, partName)
    this.#underWay.add(`${folder}/${partName}`)
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const hash = createHash('sha256')
    const head: Uint8Array[] = []
    let bytes = 0
    let file: string | undefined
    try {
      const handle = await onDisk(() => open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600))
      try {
        for await (const chunk of source) {
          const total = bytes + chunk.byteLength
          await take(total)
          if (bytes < headBytes) head.push(chunk.slice(0, headBytes - bytes))
          bytes = total
          hash.update(chunk)
          await onDisk(() => handle.appendFile(chunk))
        }
        await onDisk(() => handle.sync())
      } finally {
        await handle.close()
      }
      const sha256 = hash.digest('hex')
      const name = `${sha256}.${token()}`
      file = name
      this.#underWay.add(`${folder}/${name}`)
      await onDisk(async () => {
        await rename(part, join(place, name))
        await syncFolder(place)
      })
      return { folder, file: name, bytes, sha256, head: Buffer.concat(head) }
    } catch (error) {
      await unlink(part).catch(() => {})
      if (file !== undefined) this.settle(folder, file)
      throw error
    } finally {
      this.settle(folder, partName)
    }
  }

  /** Marks a content as no longer in progress: its row is committed, or it was given up. */
  settle(folder: string, file: string): void {
    this.#underWay.delete(`${folder}/${file}`)
  }

  /**
   * Opens a content for reading.
   *
   * @returns undefined if it does not exist
   * @throws `files_storage_failed` if it was modified
   */
  async open({ folder, file, bytes }: Blob): Promise<FileHandle | undefined> {
    return onDisk(async () => {
      const place = await this.#folder(folder)
      if (place === undefined) return undefined
      const handle = await open(join(place, file), flags).catch(unlessMissing)
      if (handle === undefined) return undefined
      const stats = await handle.stat()
      if (stats.isFile() && stats.size === bytes) return handle
      await handle.close()
      throw new Error(`${file} was modified after it was stored`)
    })
  }

  /** Returns the free bytes on the disk. @throws `files_storage_failed` */
  async freeBytes(): Promise<number> {
    return onDisk(async () => {
      for (let folder = this.#directory; ; folder = dirname(folder)) {
        const disk = await statfs(folder).catch(unlessMissing)
        if (disk) return disk.bavail * disk.bsize
      }
    })
  }

  /** Deletes contents that exist. */
  async remove(folder: string, files: readonly string[]): Promise<void> {
    if (files.length === 0) return
    await onDisk(async () => {
      const place = await this.#folder(folder)
      if (place === undefined) return
      for (const file of files) await unlink(join(place, file)).catch(unlessMissing)
      await syncFolder(place).catch(unlessMissing)
    })
  }

  /** Deletes a person's folder with all contents; other files stay, and then the folder stays as well. */
  async clear(folder: string): Promise<void> {
    await this.remove(folder, await this.contents(folder))
    await onDisk(async () => {
      const place = await this.#folder(folder)
      if (place !== undefined) await rmdir(place).catch(() => {})
    })
  }

  /** Returns the folders of people. */
  async folders(): Promise<readonly string[]> {
    return onDisk(async () => {
      const root = await this.#root()
      return root === undefined ? [] : (await readdir(root)).filter(name => folderName.test(name))
    })
  }

  /** Returns the names of a person's contents, complete or not, that this process is not writing. */
  async contentsAtRest(folder: string): Promise<readonly string[]> {
    return (await this.contents(folder)).filter(file => !this.#underWay.has(`${folder}/${file}`))
  }

  /** Returns the names of all contents of a person, complete or not. */
  async contents(folder: string): Promise<readonly string[]> {
    return onDisk(async () => {
      const place = await this.#folder(folder)
      const names = place === undefined ? undefined : await readdir(place).catch(unlessMissing)
      return (names ?? []).filter(name => blobName.test(name))
    })
  }

  /** Returns the database's subfolder; FILES_DIR itself may be a link of the operator. */
  async #root(): Promise<string | undefined> {
    const base = await realpath(this.#directory).catch(unlessMissing)
    return base === undefined ? undefined : plainFolder(join(base, this.#store))
  }

  async #folder(folder: string): Promise<string | undefined> {
    const root = await this.#root()
    return root === undefined ? undefined : plainFolder(join(root, folder))
  }

  async #makeFolder(folder: string): Promise<string> {
    return onDisk(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      const base = await realpath(this.#directory)
      return makeIn(await makeIn(base, this.#store), folder)
    })
  }
}

const onDisk = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw filesErrors.files_storage_failed.is(error) ? error : filesErrors.files_storage_failed({ cause: error })
  }
}
