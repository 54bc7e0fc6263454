import type { ObjectStore } from '@sibyl/plugin/storage'
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

/** Time for which a failure of the store is reported, in milliseconds. */
const failureMs = 60_000

/** Contents in an object store, under the names that they have in a folder. */
export class BlobObjects implements BlobStore {
  readonly #objects: ObjectStore
  readonly #store: string
  readonly #underWay = new ContentsUnderWay()
  #failure: { readonly reason: string; readonly at: number } | undefined

  /** @param store The name of the database's folder in it. */
  constructor(objects: ObjectStore, store: string) {
    this.#objects = objects
    this.#store = store
  }

  /** Returns why the store failed within the last minute. */
  reason(): string | undefined {
    const failure = this.#failure
    return failure && performance.now() - failure.at < failureMs ? failure.reason : undefined
  }

  async keep(folder: string, source: AsyncIterable<Uint8Array>, take: ReserveSpace): Promise<NewBlob> {
    const part = `${nameToken()}.part`
    this.#underWay.add(folder, part)
    const content = new ArrivingContent()
    let blob: NewBlob | undefined
    const keyOf = () => {
      blob = content.named(folder)
      this.#underWay.add(folder, blob.file)
      return this.#key(folder, blob.file)
    }
    try {
      await this.#use(() => this.#objects.upload(content.read(source, take), { part: this.#key(folder, part), keyOf }))
      if (blob === undefined) throw new Error('The upload has no name.')
      return blob
    } catch (error) {
      if (blob !== undefined) this.settle(folder, blob.file)
      throw error
    } finally {
      this.settle(folder, part)
    }
  }

  settle(folder: string, file: string): void {
    this.#underWay.remove(folder, file)
  }

  async open({ folder, file, bytes }: Blob, range?: ByteRange): Promise<OpenBlob | undefined> {
    const isWhole = range === undefined || range.to - range.from + 1 === bytes
    const opened = await this.#use(() => this.#objects.get(this.#key(folder, file), isWhole ? undefined : range))
    if (opened === undefined) return undefined
    const { content, discard } = opened
    if (opened.bytes === bytes) return { content: this.#read(content), close: discard }
    await discard()
    throw filesErrors.files_storage_failed({ cause: new Error(`${file} was modified after it was stored`) })
  }

  /** The store enforces its own quota. */
  async freeBytes(): Promise<number> {
    return Number.POSITIVE_INFINITY
  }

  async remove(folder: string, files: readonly string[]): Promise<void> {
    const keys = files.map(file => this.#key(folder, file))
    await this.#use(async () => {
      await this.#objects.remove(keys)
      for (const key of keys.filter(one => one.endsWith('.part'))) await this.#objects.abortUploads(key)
    })
  }

  async clear(folder: string): Promise<void> {
    for await (const { files } of this.#list(folder)) await this.remove(folder, files)
  }

  async *listAtRest(): AsyncGenerator<ContentsOfFolder> {
    for await (const { folder, files } of this.#list()) yield { folder, files: this.#underWay.without(folder, files) }
  }

  async *#list(only?: string): AsyncGenerator<ContentsOfFolder> {
    const root = `${this.#store}/`
    const under = only === undefined ? root : `${root}${only}/`
    for await (const keys of this.#read(this.#keys(under))) {
      const names = keys.map(key => key.slice(root.length).split('/'))
      const found = Map.groupBy(names, ([folder = '']) => folder)
      for (const [folder, paths] of found) {
        const files = paths.flatMap(([, file = '', ...more]) =>
          more.length === 0 && blobName.test(file) ? [file] : [],
        )
        if (folderName.test(folder)) yield { folder, files }
      }
    }
  }

  /** Lists keys of objects, then of incomplete uploads. */
  async *#keys(under: string): AsyncGenerator<readonly string[]> {
    for await (const page of this.#objects.list(under)) yield page.map(({ key }) => key)
    yield* this.#objects.listUploads(under)
  }

  async *#read<Item>(content: AsyncGenerator<Item>): AsyncGenerator<Item> {
    try {
      for (;;) {
        const { done, value } = await this.#use(() => content.next())
        if (done) return
        yield value
      }
    } finally {
      await content.return(undefined)
    }
  }

  #key(folder: string, file: string): string {
    return `${this.#store}/${folder}/${file}`
  }

  /** Replaces an error of the store by one for a user, who cannot change its settings. */
  async #use<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work()
      this.#failure = undefined
      return result
    } catch (error) {
      if (!isObjectError(error)) throw error
      this.#failure = { reason: error.message, at: performance.now() }
      if (error.code === 'object_store_full') throw filesErrors.files_disk_low({ cause: error })
      throw filesErrors.files_storage_failed({ cause: error })
    }
  }
}

/** Returns whether an error is one of the object store. */
export const isObjectError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('object_store_')
