import { z } from 'zod'
import { type FileKey, readEncryptedFile } from './encrypted-file.ts'
import { contentText, type MatrixEvent } from './matrix-event.ts'

/** A file that a message of a room brings (Matrix v1.11, "m.image" and "m.file"). */
export interface RoomMedia {
  /** Its server and id; undefined where the message names none. */
  readonly at: { readonly server: string; readonly id: string } | undefined
  /** Its key; undefined for a file that is not encrypted. */
  readonly fileKey: FileKey | undefined
  readonly filename: string
  readonly mediaType: string
  /** As the sender says. */
  readonly bytes: number | undefined
}

const info = z.object({
  mimetype: z.string().max(255).optional().catch(undefined),
  size: z.number().int().min(0).optional().catch(undefined),
})
const mxc = /^mxc:\/\/([A-Za-z0-9.:[\]-]{1,255})\/([\w-]{1,255})$/

/** Reads the file of a message; undefined for messages without one. */
export const readRoomMedia = (content: MatrixEvent['content']): RoomMedia | undefined => {
  const { msgtype, url, file } = content
  if (msgtype !== 'm.image' && msgtype !== 'm.file') return undefined
  const { mimetype, size } = info.safeParse(content.info).data ?? {}
  const encrypted = readEncryptedFile(file)
  const address = file === undefined || file === null ? url : encrypted?.url
  const [, server, id] = typeof address === 'string' ? (mxc.exec(address) ?? []) : []
  return {
    at: server === undefined || id === undefined ? undefined : { server, id },
    fileKey: encrypted?.fileKey,
    filename: contentText(content.filename ?? content.body, 255) ?? '',
    mediaType: mimetype ?? (msgtype === 'm.image' ? 'image/png' : 'application/octet-stream'),
    bytes: size,
  }
}

/** Returns the caption of a file: its body, if a filename beside it differs (Matrix v1.10). */
export const captionOf = ({ body, filename }: MatrixEvent['content']): string => {
  if (typeof filename !== 'string' || body === filename) return ''
  return contentText(body, 64_000)?.trim() ?? ''
}
