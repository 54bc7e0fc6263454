import { createHash, type Hash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ReadableStream as NodeStream } from 'node:stream/web'
import { storageErrors } from '../errors/storage-errors.ts'

/** Size and SHA-256 of a file. */
export interface Digest {
  readonly bytes: number
  readonly sha256: string
}

/** Encrypts or decrypts a stream. */
export type Transform = (source: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>

/** Counts and hashes what passes. */
class Meter {
  readonly #hash: Hash = createHash('sha256')
  #bytes = 0

  async *measure(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#bytes += chunk.byteLength
      this.#hash.update(chunk)
      yield chunk
    }
  }

  digest(): Digest {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') }
  }
}

/** Writes a content durably, and calls `check` before it gets its name; an error of that leaves nothing. */
export type WriteContent = (content: AsyncIterable<Uint8Array>, check: () => void) => Promise<void>

export interface CopyContent {
  readonly source: AsyncIterable<Uint8Array>
  readonly write: WriteContent
  readonly transform?: Transform | undefined
  /** Called before the copy gets its name; a rejection leaves nothing. */
  readonly check?: ((read: Digest, written: Digest) => void) | undefined
}

/** Copies a content piece by piece. @returns the digests of what was read and written */
export const copyContent = async ({ source, write, transform, check }: CopyContent) => {
  const [reading, writing] = [new Meter(), new Meter()]
  const read = reading.measure(source)
  const content = transform ? await transform(NodeStream.from(read) as ReadableStream<Uint8Array>) : read
  await write(writing.measure(content), () => check?.(reading.digest(), writing.digest()))
  return { read: reading.digest(), written: writing.digest() }
}

/** Returns the function that writes a file. @param place part: its name before, on the same disk as `to` */
export const fileWriter =
  ({ to, part }: { readonly to: string; readonly part: string }): WriteContent =>
  async (content, check) => {
    try {
      const target = await open(part, 'w', 0o600)
      try {
        for await (const chunk of content) await target.appendFile(chunk)
        await target.sync()
      } finally {
        await target.close()
      }
      check()
      await rename(part, to)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }

/** Opens a regular file; links are rejected. */
export const openSource = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)

export interface CopyFile extends Pick<CopyContent, 'transform' | 'check'> {
  readonly from: string
  readonly to: string
  /** Where the copy is written before it is renamed; on the same disk as `to`. */
  readonly part: string
}

/**
 * Copies a file piece by piece and makes it durable, then gives it its name.
 *
 * @returns the digests of what was read and written
 */
export const copyFile = async ({ from, to, part, transform, check }: CopyFile) => {
  const source = await openSource(from)
  try {
    const content = source.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })
    return await copyContent({ source: content, write: fileWriter({ to, part }), transform, check })
  } finally {
    await source.close()
  }
}

/** Reads a whole content. */
export const digestOf = async (content: AsyncIterable<Uint8Array>): Promise<Digest> => {
  const meter = new Meter()
  for await (const _ of meter.measure(content));
  return meter.digest()
}

/** Reads a whole file; undefined if it does not exist. */
export const digestOfFile = async (path: string): Promise<Digest | undefined> => {
  try {
    return await digestOf(createReadStream(path, { highWaterMark: 1 << 18 }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Returns the name of a content in a backup: its path, or with encryption a hash that shows nothing of it. */
export const objectName = (path: string, encrypted: boolean): string =>
  encrypted ? join('age', `${createHash('sha256').update(path).digest('hex')}.age`) : path

/** @throws `backup_refused` for an invalid recipient of age */
export const encryptFor = async (recipient: string): Promise<Transform> => {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  try {
    encrypter.addRecipient(recipient)
  } catch (cause) {
    throw storageErrors.backup_refused(
      { problem: 'The recipient is not one of age.', remedy: 'Give the public key that `age-keygen` shows: age1…' },
      { cause },
    )
  }
  return source => encrypter.encrypt(source)
}

/**
 * @param identity the text of an identity file of age
 * @throws `backup_refused` for a file without an identity; the transform for a wrong one
 */
export const decryptWith = async (identity: string): Promise<Transform> => {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  const keys = identity.split('\n').flatMap(line => (/^\s*(?:#|$)/.test(line) ? [] : [line.trim()]))
  try {
    if (keys.length === 0) throw new Error('no key')
    for (const key of keys) decrypter.addIdentity(key)
  } catch {
    throw storageErrors.backup_refused({
      problem: 'The identity file has no key of age.',
      remedy: 'Name the file that `age-keygen` wrote, with a line AGE-SECRET-KEY-1….',
    })
  }
  return async source => {
    try {
      return await decrypter.decrypt(source)
    } catch (cause) {
      if (!/no identity matched/.test(String(cause))) throw cause
      const problem = 'The identity does not decrypt this backup.'
      throw storageErrors.backup_refused({ problem, remedy: 'Name the file with the key of its recipient.' }, { cause })
    }
  }
}
