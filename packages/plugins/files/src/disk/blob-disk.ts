import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, realpath, rename, rmdir, statfs, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { filesErrors } from '../definitions/files-errors.ts'
import { makeIn, plainFolder, syncFolder, unlessMissing } from './folders.ts'

/** Content as it lies on the disk. */
export interface Blob {
  /** The folder of its person: a hash. */
  readonly folder: string
  /** Its name in there: its SHA-256 and a random part, never given twice. */
  readonly file: string
  readonly bytes: number
}

/** Content that was just written. */
export interface NewBlob extends Blob {
  /** In hexadecimal. */
  readonly sha256: string
  /** Its beginning, for the index of words. */
  readonly head: Uint8Array
}

/** Is told of all bytes up to and with a piece before it is written; a rejection ends the arrival. */
export type TakeRoom = (total: number) => Promise<void>

/** So much of a content is given back for the index of words. */
export const headBytes = 262_144

const folderName = /^[0-9a-f]{64}$/
const blobName = /^[0-9a-f]{64}\.[0-9a-f]{24}$|^[0-9a-f]{24}\.part$/
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const token = () => randomBytes(12).toString('hex')

/**
 * The folder in which contents are kept, one folder a person, under names that nobody outside has chosen. What has become a
 * symbolic link there, or is no plain file, is refused.
 *
 * @param directory FILES_DIR.
 * @param store The name of the database's own folder in it.
 */
export class BlobDisk {
  readonly #directory: string
  readonly #store: string
  /** Contents that this process writes and that may have no row yet: `<folder>/<file>`. */
  readonly #underWay = new Set<string>()

  constructor(directory: string, store: string) {
    this.#directory = resolve(directory)
    this.#store = store
  }

  /**
   * Writes a content as it arrives, and puts it in its place once all of it is on disk. Where that fails, nothing is left.
   * The content counts as under way until `settle`.
   *
   * @throws `files_storage_failed`, what `take` throws, and what the source throws
   */
  async keep(folder: string, source: AsyncIterable<Uint8Array>, take: TakeRoom): Promise<NewBlob> {
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

  /** Ends the time in which a content may lack its row: the row is committed, or the content is given up. */
  settle(folder: string, file: string): void {
    this.#underWay.delete(`${folder}/${file}`)
  }

  /**
   * Opens a content for reading.
   *
   * @returns undefined where there is none
   * @throws `files_storage_failed` where it is not as it was left
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
      throw new Error(`${file} is not the file that was kept`)
    })
  }

  /** Returns how many bytes are free on the disk. @throws `files_storage_failed` */
  async freeBytes(): Promise<number> {
    return onDisk(async () => {
      for (let folder = this.#directory; ; folder = dirname(folder)) {
        const disk = await statfs(folder).catch(unlessMissing)
        if (disk) return disk.bavail * disk.bsize
      }
    })
  }

  /** Deletes contents, as far as they are there. */
  async remove(folder: string, files: readonly string[]): Promise<void> {
    if (files.length === 0) return
    await onDisk(async () => {
      const place = await this.#folder(folder)
      if (place === undefined) return
      for (const file of files) await unlink(join(place, file)).catch(unlessMissing)
      await syncFolder(place).catch(unlessMissing)
    })
  }

  /** Deletes a person's folder with all contents; what is none of them stays, and with it the folder. */
  async clear(folder: string): Promise<void> {
    await this.remove(folder, await this.contents(folder))
    await onDisk(async () => {
      const place = await this.#folder(folder)
      if (place !== undefined) await rmdir(place).catch(() => {})
    })
  }

  /** The folders of people. */
  async folders(): Promise<readonly string[]> {
    return onDisk(async () => {
      const root = await this.#root()
      return root === undefined ? [] : (await readdir(root)).filter(name => folderName.test(name))
    })
  }

  /** The names of the contents of a person, finished or not, that this process is not writing. */
  async contentsAtRest(folder: string): Promise<readonly string[]> {
    return (await this.contents(folder)).filter(file => !this.#underWay.has(`${folder}/${file}`))
  }

  /** The names of all contents of a person, finished or not. */
  async contents(folder: string): Promise<readonly string[]> {
    return onDisk(async () => {
      const place = await this.#folder(folder)
      const names = place === undefined ? undefined : await readdir(place).catch(unlessMissing)
      return (names ?? []).filter(name => blobName.test(name))
    })
  }

  /** The database's own folder; FILES_DIR itself may be a link that the operator made. */
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
