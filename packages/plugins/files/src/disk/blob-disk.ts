import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, realpath, rename, rmdir, statfs, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { filesErrors } from '../definitions/files-errors.ts'
import {
  ArrivingContent,
  type Blob,
  type BlobStore,
  type ByteRange,
  blobName,
  type ContentsOfFolder,
  ContentsUnderWay,
  folderName,
  type NewBlob,
  nameToken,
  type OpenBlob,
  type ReserveSpace,
} from './blob-store.ts'
import { makeIn, plainFolder, syncFolder, unlessMissing } from './folders.ts'

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** Number of bytes that are read from the disk at a time. */
const pieceBytes = 131_072

/**
 * Contents in a folder. Symbolic links and special files in it are rejected.
 *
 * @param directory FILES_DIR.
 * @param store The name of the database's subfolder.
 */
export class BlobDisk implements BlobStore {
  readonly #directory: string
  readonly #store: string
  readonly #underWay = new ContentsUnderWay()

  constructor(directory: string, store: string) {
    this.#directory = resolve(directory)
    this.#store = store
  }

  async keep(folder: string, source: AsyncIterable<Uint8Array>, take: ReserveSpace): Promise<NewBlob> {
    const place = await this.#makeFolder(folder)
    const partName = `${nameToken()}.part`
    const part = join(place, partName)
    this.#underWay.add(folder, partName)
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const content = new ArrivingContent()
    let blob: NewBlob | undefined
    try {
      const handle = await onDisk(() => open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600))
      try {
        for await (const chunk of content.read(source, take)) await onDisk(() => handle.appendFile(chunk))
        await onDisk(() => handle.sync())
      } finally {
        await handle.close()
      }
      const named = content.named(folder)
      blob = named
      this.#underWay.add(folder, named.file)
      await onDisk(async () => {
        await rename(part, join(place, named.file))
        await syncFolder(place)
      })
      return named
    } catch (error) {
      await unlink(part).catch(() => {})
      if (blob !== undefined) this.settle(folder, blob.file)
      throw error
    } finally {
      this.settle(folder, partName)
    }
  }

  settle(folder: string, file: string): void {
    this.#underWay.remove(folder, file)
  }

  async open({ folder, file, bytes }: Blob, range?: ByteRange): Promise<OpenBlob | undefined> {
    return onDisk(async () => {
      const place = await this.#folder(folder)
      if (place === undefined) return undefined
      const handle = await open(join(place, file), flags).catch(unlessMissing)
      if (handle === undefined) return undefined
      const stats = await handle.stat()
      const close = () => handle.close()
      if (stats.isFile() && stats.size === bytes)
        return { content: piecesOf(handle, range ?? { from: 0, to: bytes - 1 }), close }
      await close()
      throw new Error(`${file} was modified after it was stored`)
    })
  }

  async freeBytes(): Promise<number> {
    return onDisk(async () => {
      for (let folder = this.#directory; ; folder = dirname(folder)) {
        const disk = await statfs(folder).catch(unlessMissing)
        if (disk) return disk.bavail * disk.bsize
      }
    })
  }

  async remove(folder: string, files: readonly string[]): Promise<void> {
    if (files.length === 0) return
    await onDisk(async () => {
      const place = await this.#folder(folder)
      if (place === undefined) return
      for (const file of files) await unlink(join(place, file)).catch(unlessMissing)
      await syncFolder(place).catch(unlessMissing)
    })
  }

  /** Other files stay, and then the folder stays as well. */
  async clear(folder: string): Promise<void> {
    await this.remove(folder, await this.#contents(folder))
    await onDisk(async () => {
      const place = await this.#folder(folder)
      if (place !== undefined) await rmdir(place).catch(() => {})
    })
  }

  async *listAtRest(): AsyncGenerator<ContentsOfFolder> {
    const root = await onDisk(() => this.#root())
    const folders = root === undefined ? [] : await onDisk(() => readdir(root))
    for (const folder of folders.filter(name => folderName.test(name)))
      yield { folder, files: this.#underWay.without(folder, await this.#contents(folder)) }
  }

  /** Returns the names of all contents of a person, complete or not. */
  async #contents(folder: string): Promise<readonly string[]> {
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

async function* piecesOf(handle: FileHandle, { from, to }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let position = from; position <= to; ) {
    const length = Math.min(pieceBytes, to + 1 - position)
    const { bytesRead, buffer } = await onDisk(() => handle.read(Buffer.alloc(length), 0, length, position))
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

const onDisk = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw filesErrors.files_storage_failed.is(error) ? error : filesErrors.files_storage_failed({ cause: error })
  }
}
