import type { TurnRequest } from '@sibyl/plugin'
import { z } from 'zod'
import { agUiErrors } from '../errors/ag-ui-errors.ts'

export type MessageFile = NonNullable<TurnRequest['files']>[number]

/** The text and the files of a message. */
export interface MessageContent {
  readonly text: string
  readonly files: readonly MessageFile[]
}

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })
const dataPart = z.looseObject({
  type: z.enum(['image', 'audio', 'video', 'document']),
  source: z.looseObject({ type: z.literal('data'), value: z.string(), mimeType: z.string().max(255) }),
  metadata: z
    .looseObject({ filename: z.string().max(1_000).optional() })
    .optional()
    .catch(undefined),
})
/** The part of a file before 1.0. */
const binaryPart = z.looseObject({
  type: z.literal('binary'),
  data: z.string(),
  mimeType: z.string().max(255),
  filename: z.string().max(1_000).optional(),
})
const anyPart = z.looseObject({ type: z.string() })
const parts = z.array(z.union([textPart, dataPart, binaryPart, anyPart])).max(200)

/**
 * Reads the content of a message: a text, or parts.
 *
 * @throws `ag_ui_content_unsupported`
 */
export const readContent = (content: unknown): MessageContent => {
  if (content === undefined || content === null) return { text: '', files: [] }
  if (typeof content === 'string') return { text: content, files: [] }
  const read = parts.safeParse(content).data
  if (!read) throw agUiErrors.ag_ui_content_unsupported({ what: 'The form of the content' })
  const texts: string[] = []
  const files: MessageFile[] = []
  for (const part of read) {
    const text = textPart.safeParse(part).data
    const file = fileOf(part)
    if (text) texts.push(text.text)
    else if (file) files.push(file)
    else {
      const what = `A part of the type '${part.type.slice(0, 40)}' that has no base64 data`
      throw agUiErrors.ag_ui_content_unsupported({ what })
    }
  }
  return { text: texts.join('\n'), files }
}

/** Returns the text of a content, without anything else. */
export const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  const read = parts.safeParse(content).data ?? []
  return read.flatMap(part => textPart.safeParse(part).data?.text ?? []).join('\n')
}

const fileOf = (part: unknown): MessageFile | undefined => {
  const binary = binaryPart.safeParse(part).data
  if (binary) {
    const { mimeType, filename, data } = binary
    return {
      mediaType: mimeType,
      ...(filename === undefined ? {} : { filename }),
      content: Buffer.from(data, 'base64'),
    }
  }
  const given = dataPart.safeParse(part).data
  if (!given) return undefined
  const { source, metadata } = given
  const filename = metadata?.filename
  return {
    mediaType: source.mimeType,
    ...(filename === undefined ? {} : { filename }),
    content: Buffer.from(source.value, 'base64'),
  }
}
