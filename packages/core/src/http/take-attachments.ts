import { type ChatMessage, filePart, type PersonFile, type PersonFiles } from '@sibyl/protocol'
import { AttachmentInvalid, AttachmentsOff, AttachmentsTooMany } from '../errors/attachment-errors.ts'
import type { MessagePart } from '../sessions/turn-message.ts'

/** Most attachments of one message. */
export const mostAttachments = 10

/** The longest name that an attachment is kept under, in characters. */
const longestName = 60

/** Who keeps attachments, and whose they are. */
export interface AttachmentsRequest {
  /** Undefined where no plugin keeps files. */
  readonly files: PersonFiles | undefined
  readonly did: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The parts of a message that are attachments, in the form of the AI SDK, unchecked. */
export const attachmentsOf = ({ parts }: ChatMessage): readonly unknown[] => parts.filter(({ type }) => type === 'file')

/**
 * Gives the attachments of a message to the plugin that keeps files, under `attachments/<day>/<name>`; what was uploaded before
 * stays where it is. Nothing is fetched from the network. The same content under the same name is one file.
 *
 * @returns the parts that stand for them in the message as it is kept, which have the address of the file and no content
 * @throws AttachmentsOff `attachments_off`, AttachmentsTooMany `attachments_too_many`, AttachmentInvalid `attachment_invalid`,
 * and what the plugin throws
 */
export const takeAttachments = async (
  attachments: readonly unknown[],
  { files, did, now }: AttachmentsRequest,
): Promise<MessagePart[]> => {
  if (!files) throw new AttachmentsOff()
  if (attachments.length > mostAttachments) throw new AttachmentsTooMany(mostAttachments)
  const read = attachments.map((attachment, index) => {
    const part = filePart.safeParse(attachment)
    if (!part.success) throw new AttachmentInvalid(index + 1, 'it is no file part with mediaType and url')
    return part.data
  })
  const parts: MessagePart[] = []
  for (const [index, { url, mediaType, filename }] of read.entries()) {
    const known = isData(url) ? undefined : await files.findByUrl(did, url)
    if (!known && !isData(url)) throw new AttachmentInvalid(index + 1, 'its url names no file of yours')
    const path = `attachments/${new Date(now).toISOString().slice(0, 10)}/${safeName(filename)}`
    const file =
      known ?? (await files.write({ did, path, content: await readData(url, index + 1), mediaType, onTaken: 'rename' }))
    parts.push(partOf(file, files))
  }
  return parts
}

const partOf = ({ path, bytes, mediaType, sha256 }: PersonFile, files: PersonFiles): MessagePart => ({
  type: 'file',
  mediaType,
  filename: path.slice(path.lastIndexOf('/') + 1),
  url: files.urlOf(path),
  providerMetadata: { sibyl: { path, bytes, sha256 } },
})

const isData = (url: string): boolean => /^data:/i.test(url)

/** The content of a data: URL, as the Fetch standard reads it. */
const readData = async (url: string, number: number): Promise<Uint8Array> => {
  try {
    const answer = await fetch(url)
    return new Uint8Array(await answer.arrayBuffer())
  } catch {
    throw new AttachmentInvalid(number, 'its data: URL cannot be read')
  }
}

/** The name alone, without folders and what no file may be called by; a client may send any. */
const safeName = (given = ''): string => {
  const name = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu, '')
    .replace(/^.*[/\\](?=.)/su, '')
    .replace(/[\s/\\]+/gu, ' ')
    .trim()
  if (/^[. ]*$/.test(name)) return 'attachment'
  const characters = [...name]
  if (characters.length <= longestName) return name
  const ending = /\.[A-Za-z0-9]{1,12}$/.exec(name)?.[0] ?? ''
  return (
    characters
      .slice(0, longestName - ending.length)
      .join('')
      .trim() + ending
  )
}
