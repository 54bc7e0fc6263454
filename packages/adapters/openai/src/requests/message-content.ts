import type { TurnRequest } from '@sibyl/plugin'
import { chatLimits } from '@sibyl/protocol'
import { z } from 'zod'

export type MessageFile = NonNullable<TurnRequest['files']>[number]

const textPart = z.looseObject({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() })
const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })
/** A picture of chat completions. */
const imageUrlPart = z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) })
/** A picture of responses. */
const inputImagePart = z.looseObject({ type: z.literal('input_image'), image_url: z.string() })
const fileFields = { filename: z.string().max(1_000).nullish(), file_data: z.string() }
/** A file of chat completions. */
const filePart = z.looseObject({ type: z.literal('file'), file: z.looseObject(fileFields) })
/** A file of responses. */
const inputFilePart = z.looseObject({ type: z.literal('input_file'), ...fileFields })
const otherPart = z.looseObject({ type: z.string().max(100) })

/** Content of a message: a text, or parts. */
export const messageContent = z.union([z.string().max(chatLimits.messageCharacters * 4), z.array(otherPart).max(200)])

export type MessageContent = z.output<typeof messageContent>

/** Returns the text and the files of a message; undefined where it has a part that cannot be read. */
export const readContent = (
  content: MessageContent | null | undefined,
): { readonly text: string; readonly files: readonly MessageFile[] } | undefined => {
  if (content === null || content === undefined) return { text: '', files: [] }
  if (typeof content === 'string') return { text: content, files: [] }
  const texts: string[] = []
  const files: MessageFile[] = []
  for (const part of content) {
    const text = textPart.safeParse(part).data?.text ?? refusalPart.safeParse(part).data?.refusal
    const file = text === undefined ? fileOf(part) : undefined
    if (text !== undefined) texts.push(text)
    else if (file) files.push(file)
    else return undefined
  }
  return { text: texts.join('\n'), files }
}

/** Whether a message has something besides text, which is read only in the last one. */
export const hasOtherParts = (content: MessageContent | null | undefined): boolean =>
  Array.isArray(content) && content.some(part => !textPart.safeParse(part).success)

/** Returns the text of a message, without anything else. */
export const textOf = (content: MessageContent | null | undefined): string => {
  if (typeof content === 'string') return content
  return (content ?? []).flatMap(part => textPart.safeParse(part).data?.text ?? []).join('\n')
}

const fileOf = (part: unknown): MessageFile | undefined => {
  const url = imageUrlPart.safeParse(part).data?.image_url.url ?? inputImagePart.safeParse(part).data?.image_url
  if (url !== undefined) return readDataUrl(url)
  const file = filePart.safeParse(part).data?.file ?? inputFilePart.safeParse(part).data
  if (!file) return undefined
  const read = readDataUrl(file.file_data)
  return read && file.filename ? { ...read, filename: file.filename } : read
}

const dataUrl = /^data:([^;,]{1,255})(?:;[^;,]*)*;base64,/

const readDataUrl = (url: string): MessageFile | undefined => {
  const [head, mediaType] = dataUrl.exec(url) ?? []
  if (head === undefined || mediaType === undefined) return undefined
  return { mediaType, content: Buffer.from(url.slice(head.length), 'base64') }
}
