import type { ObjectLocation } from './object-location.ts'
import {
  type ObjectRequest,
  type ObjectRequestOptions,
  type ObjectResponse,
  SignedRequest,
  unavailable,
} from './signed-request.ts'

/** A part of an object, both ends inclusive. */
export interface ObjectRange {
  readonly from: number
  readonly to: number
}

/** An object in a list. */
export interface ListedObject {
  readonly key: string
  readonly bytes: number
}

/** An object that is read. */
export interface OpenObject {
  /** Size of the whole object. */
  readonly bytes: number
  /** Its content, or the requested part; may be read once. */
  readonly content: AsyncGenerator<Uint8Array>
  discard(): Promise<void>
}

export interface UploadOptions {
  /** The name until the content is complete. */
  readonly part: string
  /** Returns the final name, after the last piece; may be `part`. */
  readonly keyOf: () => string
  /** Size of a content that may be large: its parts become larger, since there are at most 10,000. */
  readonly bytes?: number | undefined
}

export interface ObjectStoreOptions extends ObjectRequestOptions {
  /** Size of a part of a large upload: the same for all but the last one, as some stores require. @default 8 MiB */
  readonly partBytes?: number
}

/**
 * The objects in a folder of a bucket, by S3. Keys are relative to that folder, of letters, digits and `._-/`.
 *
 * Each method throws `object_store_denied`, `object_store_missing`, `object_store_clock`, `object_store_full` and
 * `object_store_unavailable`.
 */
export class ObjectStore {
  readonly #location: ObjectLocation
  readonly #requests: SignedRequest
  readonly #partBytes: number

  constructor(location: ObjectLocation, requests: SignedRequest, partBytes: number) {
    this.#location = location
    this.#requests = requests
    this.#partBytes = partBytes
  }

  /** Stores a small object; the store compares its SHA-256. */
  async put(key: string, body: Uint8Array | string): Promise<void> {
    await (await this.#required({ method: 'PUT', key: this.#full(key), body })).discard()
  }

  /**
   * Stores a stream; a large one in parts, each with its SHA-256. A failure leaves no object. The parts of a process that
   * crashed stay until `abortUploads`.
   */
  async upload(source: AsyncIterable<Uint8Array>, { part, keyOf, bytes = 0 }: UploadOptions): Promise<void> {
    let upload: MultipartUpload | undefined
    let key: string
    try {
      for await (const piece of piecesOf(source, Math.max(this.#partBytes, Math.ceil(bytes / 9_000)))) {
        if (upload === undefined && piece.isLast) return await this.put(keyOf(), piece.content)
        upload ??= await this.#begin(part)
        await this.#add(upload, piece.content)
      }
      key = keyOf()
      if (upload !== undefined) await this.#complete(upload)
    } catch (error) {
      if (upload !== undefined) await this.#abort(upload)
      throw error
    }
    if (key === part) return
    try {
      await this.copy(part, key)
    } finally {
      await this.remove([part])
    }
  }

  /** Copies an object within the store. */
  async copy(from: string, to: string): Promise<void> {
    const headers = { 'x-amz-copy-source': `/${this.#location.bucket}/${this.#full(from)}` }
    const text = await (await this.#required({ method: 'PUT', key: this.#full(to), headers })).text()
    this.#expect(text, 'CopyObjectResult')
  }

  /** Opens an object or a part of it. @returns undefined if it does not exist */
  async get(key: string, range?: ObjectRange): Promise<OpenObject | undefined> {
    const headers = range ? { range: `bytes=${range.from}-${range.to}` } : undefined
    const response = await this.#requests.send({ method: 'GET', key: this.#full(key), ...(headers && { headers }) })
    if (response === undefined) return undefined
    const bytes = range
      ? Number(/^bytes \d+-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
      : sizeOf(response)
    return { bytes, content: response.pieces(), discard: response.discard }
  }

  /** Returns the size of an object; undefined if it does not exist. */
  async sizeOf(key: string): Promise<number | undefined> {
    const response = await this.#requests.send({ method: 'HEAD', key: this.#full(key) })
    return response && sizeOf(response)
  }

  /** Lists the objects below a folder by key, page by page. @param folder ends with a slash, or is empty */
  async *list(folder: string): AsyncGenerator<readonly ListedObject[]> {
    let next: string | undefined
    do {
      const query = { 'list-type': '2', prefix: this.#full(folder), ...(next && { 'continuation-token': next }) }
      const text = await (await this.#required({ method: 'GET', key: '', query })).text()
      this.#expect(text, 'ListBucketResult')
      yield [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = '']) => ({
        key: element(content, 'Key').slice(this.#location.prefix.length),
        bytes: Number(element(content, 'Size')),
      }))
      next = element(text, 'IsTruncated') === 'true' ? element(text, 'NextContinuationToken') : ''
    } while (next !== '')
  }

  /** Lists the keys of incomplete uploads below a folder, page by page; a key may be in the list twice. */
  async *listUploads(folder: string): AsyncGenerator<readonly string[]> {
    for await (const page of this.#uploads(folder)) yield page.map(({ key }) => key.slice(this.#location.prefix.length))
  }

  /** Deletes the parts of incomplete uploads of a key. */
  async abortUploads(key: string): Promise<void> {
    for await (const page of this.#uploads(key))
      for (const upload of page) if (upload.key === this.#full(key)) await this.#abort(upload)
  }

  /** Deletes objects that exist. */
  async remove(keys: readonly string[]): Promise<void> {
    const left = [...keys]
    const removeNext = async (): Promise<void> => {
      for (let key = left.pop(); key !== undefined; key = left.pop())
        await (await this.#requests.send({ method: 'DELETE', key: this.#full(key) }))?.discard()
    }
    await Promise.all(Array.from({ length: Math.min(8, keys.length) }, removeNext))
  }

  async *#uploads(folder: string): AsyncGenerator<readonly Pick<MultipartUpload, 'key' | 'id'>[]> {
    let after: Readonly<Record<string, string>> | undefined = {}
    while (after !== undefined) {
      const query: Record<string, string> = { uploads: '', prefix: this.#full(folder), ...after }
      const text = await (await this.#required({ method: 'GET', key: '', query })).text()
      this.#expect(text, 'ListMultipartUploadsResult')
      yield [...text.matchAll(/<Upload>(.*?)<\/Upload>/gs)].map(([, content = '']) => ({
        key: element(content, 'Key'),
        id: element(content, 'UploadId'),
      }))
      const [key, id] = [element(text, 'NextKeyMarker'), element(text, 'NextUploadIdMarker')]
      after = element(text, 'IsTruncated') === 'true' && key ? { 'key-marker': key, 'upload-id-marker': id } : undefined
    }
  }

  async #begin(key: string): Promise<MultipartUpload> {
    const request = { method: 'POST', key: this.#full(key), query: { uploads: '' } } as const
    const text = await (await this.#required(request)).text()
    this.#expect(text, 'InitiateMultipartUploadResult')
    return { key: request.key, id: element(text, 'UploadId'), tags: [] }
  }

  async #add({ key, id, tags }: MultipartUpload, body: Uint8Array): Promise<void> {
    const query = { partNumber: String(tags.length + 1), uploadId: id }
    const response = await this.#required({ method: 'PUT', key, query, body })
    await response.discard()
    tags.push(response.headers.get('etag') ?? '')
  }

  async #complete({ key, id, tags }: MultipartUpload): Promise<void> {
    const parts = tags.map(
      (tag, place) => `<Part><PartNumber>${place + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    // Not repeated: a second attempt after a lost response finds no upload.
    const request = { method: 'POST', key, query: { uploadId: id }, body, attempts: 1 } as const
    this.#expect(await (await this.#required(request)).text(), 'CompleteMultipartUploadResult')
  }

  async #abort({ key, id }: Pick<MultipartUpload, 'key' | 'id'>): Promise<void> {
    const request = { method: 'DELETE', key, query: { uploadId: id }, attempts: 1 } as const
    await this.#requests.send(request).then(
      response => response?.discard(),
      () => {},
    )
  }

  /** Sends a request whose object or bucket must exist. */
  async #required(request: ObjectRequest): Promise<ObjectResponse> {
    const response = await this.#requests.send(request)
    if (response === undefined) throw unavailable(this.#location, 'responds with status 404')
    return response
  }

  /** A response may begin with 200 and end with an error. */
  #expect(text: string, name: string): void {
    if (!text.includes(`</${name}>`)) throw unavailable(this.#location, 'did not complete a request')
  }

  #full(key: string): string {
    return `${this.#location.prefix}${key}`
  }
}

interface MultipartUpload {
  readonly key: string
  readonly id: string
  /** The entity tags of the stored parts. */
  readonly tags: string[]
}

/** Opens a folder in a bucket; sends nothing. */
export const openObjectStore = async (
  location: ObjectLocation,
  { partBytes = 8_388_608, ...options }: ObjectStoreOptions = {},
): Promise<ObjectStore> => {
  const { AwsV4Signer } = await import('aws4fetch')
  return new ObjectStore(location, new SignedRequest(location, AwsV4Signer, options), partBytes)
}

/** Yields a stream in pieces of one size; the last one may be smaller, or empty if it is the only one. */
async function* piecesOf(source: AsyncIterable<Uint8Array>, size: number) {
  let collected: Uint8Array[] = []
  let bytes = 0
  for await (let chunk of source) {
    while (bytes + chunk.byteLength > size) {
      collected.push(chunk.subarray(0, size - bytes))
      yield { content: Buffer.concat(collected), isLast: false }
      chunk = chunk.subarray(size - bytes)
      collected = []
      bytes = 0
    }
    collected.push(chunk)
    bytes += chunk.byteLength
  }
  yield { content: Buffer.concat(collected), isLast: true }
}

const sizeOf = ({ headers }: ObjectResponse): number => Number(headers.get('content-length') ?? Number.NaN)

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#34': '"' }

/** Returns the text of the first element with a name; empty without one. */
const element = (text: string, name: string): string =>
  (new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '').replaceAll(
    /&(amp|lt|gt|quot|apos|#34);/g,
    (_, entity: string) => entities[entity] ?? '',
  )

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
