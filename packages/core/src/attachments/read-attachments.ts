import { type Actor, holdsAbility, utcDay } from '@sibyl/plugin'
import { type ChatMessage, messageParts, type personFiles, personFilesAbilities, type ServiceOf } from '@sibyl/protocol'
import { coreErrors } from '../errors/core-errors.ts'
import type { MessagePart } from '../sessions/stored-message.ts'
import { type CheckedContent, checkContent } from './check-content.ts'

type PersonFile = Awaited<ReturnType<ServiceOf<typeof personFiles>['write']>>

/** Most attachments of one message. */
const maxAttachments = 10

/** Maximum length of the stored name of an attachment, in characters. */
const longestName = 60

export interface AttachmentsRequest {
  /** Undefined if no plugin stores files. */
  readonly files: ServiceOf<typeof personFiles> | undefined
  readonly actor: Actor
  /** The most bytes of all contents together. */
  readonly maxBytes: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A file of a message that a plugin got by another channel. */
export interface GivenFile {
  readonly mediaType: string
  readonly filename?: string
  readonly content: Uint8Array
}

/** The attachments of a message, read and not stored yet. */
export interface ReadAttachments {
  /** Their file names. */
  readonly names: readonly string[]
  /**
   * Stores them under `attachments/<day>/<name>`, and returns the message parts that refer to them by address, without
   * content. The same content under the same name is one file; files that were uploaded before stay in place. Throws
   * the errors of the plugin that stores files.
   */
  keep(): Promise<MessagePart[]>
}

/** Returns the parts of a message that are attachments, in the form of the AI SDK, without validation. */
export const attachmentsOf = ({ parts }: ChatMessage): readonly unknown[] => parts.filter(({ type }) => type === 'file')

/**
 * Reads the attachments of a message for the plugin that stores files, and validates pictures and PDFs. Nothing is stored before all
 * are read, and nothing is fetched from the network.
 *
 * @param attachments File parts, unchecked, or files that a plugin gives.
 * @throws `attachments_off`, `attachments_too_many`, `attachments_too_large`, `attachment_invalid`, `scope_missing`, and what the plugin throws
 */
export const readAttachments = async (
  attachments: readonly unknown[],
  { files, actor, maxBytes, now }: AttachmentsRequest,
): Promise<ReadAttachments> => {
  if (!files) throw coreErrors.attachments_off()
  const { did, scopes } = actor
  if (attachments.length > maxAttachments) throw coreErrors.attachments_too_many({ max: maxAttachments }, { facts: {} })
  const read: ReadAttachment[] = []
  let bytes = 0
  const take = (given: GivenFile, number: number) => {
    bytes += given.content.byteLength
    if (bytes > maxBytes) throw coreErrors.attachments_too_large({ megabytes: maxBytes / 1_000_000 }, { facts: {} })
    const mediaType = mediaTypeOf(checkContent(given.content, given.mediaType), number)
    read.push({ name: safeName(given.filename), mediaType, content: given.content })
  }
  const need = (access: keyof typeof personFilesAbilities) => {
    const needed = personFilesAbilities[access]
    if (!holdsAbility(scopes, needed))
      throw coreErrors.attachments_denied({ abilities: needed.join(' or ') }, { facts: {} })
  }
  for (const [index, attachment] of attachments.entries()) {
    if (isGiven(attachment)) {
      need('write')
      take(attachment, index + 1)
      continue
    }
    const part = messageParts.file.safeParse(attachment)
    if (!part.success) throw attachmentInvalid(index + 1, 'it is not a file part with mediaType and url', 'url')
    const { url, mediaType, filename = '' } = part.data
    need(isData(url) ? 'write' : 'read')
    if (isData(url)) {
      take({ mediaType, filename, content: await readData(url, index + 1) }, index + 1)
      continue
    }
    const known = await files.findByUrl(did, url)
    if (!known) throw attachmentInvalid(index + 1, 'its url is not the address of one of your files', 'url')
    if (/^image\/|\/pdf$/.test(known.mediaType) && known.bytes <= maxBytes) {
      const content = (await files.read(did, known.path))?.content
      if (content) mediaTypeOf(checkContent(content, known.mediaType), index + 1)
    }
    read.push({ name: nameIn(known.path), known })
  }
  const folder = `attachments/${utcDay(now)}`
  return {
    names: read.map(({ name }) => name),
    async keep() {
      const parts: MessagePart[] = []
      for (const one of read) {
        const file =
          'known' in one
            ? one.known
            : await files.write({
                did,
                actor,
                path: `${folder}/${one.name}`,
                content: one.content,
                mediaType: one.mediaType,
                onTaken: 'rename',
              })
        parts.push(partOf(file, files))
      }
      return parts
    },
  }
}

/** One attachment: an existing file, or content to store. */
type ReadAttachment =
  | { readonly name: string; readonly known: PersonFile }
  | { readonly name: string; readonly mediaType: string; readonly content: Uint8Array }

const partOf = ({ path, bytes, mediaType, sha256 }: PersonFile, files: ServiceOf<typeof personFiles>): MessagePart => ({
  type: 'file',
  mediaType,
  filename: nameIn(path),
  url: files.urlOf(path),
  providerMetadata: { sibyl: { path, bytes, sha256 } },
})

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const isData = (url: string): boolean => /^data:/i.test(url)

const isGiven = (attachment: unknown): attachment is GivenFile =>
  typeof attachment === 'object' &&
  attachment !== null &&
  'content' in attachment &&
  attachment.content instanceof Uint8Array

const readData = async (url: string, number: number): Promise<Uint8Array> => {
  try {
    return await readDataUrl(url)
  } catch {
    throw attachmentInvalid(number, 'its data: URL cannot be read', 'url')
  }
}

const mediaTypeOf = (checked: CheckedContent, number: number): string => {
  if ('fault' in checked) throw attachmentInvalid(number, checked.fault, 'content')
  return checked.mediaType
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

const remedies = {
  url: 'Its url is a data: URL, or the address of a file uploaded before.',
  content: 'Send another file, or the message without it.',
} as const

/** @param number Its position, from 1. */
const attachmentInvalid = (number: number, violation: string, of: keyof typeof remedies) =>
  coreErrors.attachment_invalid({ number, violation, remedy: remedies[of] }, { facts: {} })

/** Base64 without blanks or percent-encoding, as browsers write it. */
const plainBase64 = /^data:[^,]{0,1000};base64,(?=[A-Za-z0-9+/])/i

/**
 * Returns the content of a data: URL, as the Fetch standard reads it.
 *
 * @throws TypeError where it cannot be read
 */
const readDataUrl = async (url: string): Promise<Uint8Array> => {
  const [head] = plainBase64.exec(url) ?? []
  if (head !== undefined) {
    const text = url.slice(head.length)
    const content = Buffer.from(text, 'base64')
    // Node skips invalid base64, so the result may be shorter.
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
    if (content.length === (text.length / 4) * 3 - padding) return content
  }
  const answer = await fetch(url)
  return new Uint8Array(await answer.arrayBuffer())
}
