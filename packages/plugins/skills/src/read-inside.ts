import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** Content of a file, or the reason why it is not read: the end of a sentence that begins with its name. */
export type FileRead = { readonly bytes: Uint8Array } | { readonly refused: string }

/** Returns whether a path is inside a folder; both as `realpath` returns them. */
export const isInside = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}${sep}`)

/**
 * Reads a regular file inside a folder. The opened file is checked, not its name: a link that leads out of the folder,
 * also one that is changed meanwhile, is rejected. Pipes and devices never block.
 *
 * @param folder As `realpath` returns it.
 * @param path Relative to the folder.
 * @param maxBytes Larger files are rejected.
 */
export const readInside = async (folder: string, path: string, maxBytes: number): Promise<FileRead> => {
  let file: FileHandle | undefined
  try {
    const whole = join(folder, path)
    file = await open(whole, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const { size } = await file.stat()
    if (!(await file.stat()).isFile()) return { refused: 'is not a regular file' }
    const opened = await openedPath(file, whole)
    if (opened === undefined || !isInside(folder, opened)) return { refused: 'leads out of its folder' }
    const bytes = size > maxBytes ? undefined : await readUpTo(file, maxBytes)
    return bytes ? { bytes } : { refused: `is larger than ${maxBytes.toLocaleString('en')} bytes` }
  } catch (error) {
    return { refused: reasonOf(error) }
  } finally {
    await file?.close()
  }
}

/**
 * Returns the path of an open file. Linux provides it; on other systems its path is resolved again and must lead to the
 * same file.
 */
const openedPath = async (file: FileHandle, path: string): Promise<string | undefined> => {
  if (process.platform === 'linux') {
    const known = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined)
    if (known !== undefined) return known
  }
  const real = await realpath(path)
  const [opened, found] = await Promise.all([file.stat({ bigint: true }), stat(real, { bigint: true })])
  return opened.ino === found.ino && opened.dev === found.dev ? real : undefined
}

const readUpTo = async (file: FileHandle, maxBytes: number): Promise<Uint8Array | undefined> => {
  const buffer = Buffer.alloc(maxBytes + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) return buffer.subarray(0, length)
    length += bytesRead
  }
  return undefined
}

const reasons: Readonly<Record<string, string | undefined>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  ENAMETOOLONG: 'does not exist',
  ELOOP: 'is a link to itself',
  EACCES: 'cannot be read by the oracle (permission denied)',
  EPERM: 'cannot be read by the oracle (permission denied)',
  EISDIR: 'is not a regular file',
  ENXIO: 'is not a regular file',
}

/** Returns why a path cannot be used, as the end of a sentence. */
export const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return reasons[code] ?? `cannot be read (${code})`
}

/** Returns the text of a file without byte order mark; undefined if it is not UTF-8. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
