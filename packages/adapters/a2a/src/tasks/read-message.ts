import { chatLimits } from '@sibyl/protocol'
import { a2aErrors } from '../errors/a2a-errors.ts'
import type { Part, StoredPart } from '../wire/part.ts'
import type { Message } from '../wire/requests.ts'

/** A message of a client, read. */
export interface ReadMessage {
  /** Its texts, and its data as JSON. */
  readonly text: string
  /** The first data part, as an answer to a question. */
  readonly data: Part['data']
  readonly files: readonly { readonly mediaType: string; readonly filename?: string; readonly content: Uint8Array }[]
  /** Its parts for the history, without the contents of files. */
  readonly parts: readonly StoredPart[]
}

/**
 * Reads the parts of a message.
 *
 * @throws `a2a_content_unsupported`, `a2a_params_invalid`
 */
export const readMessage = ({ parts }: Pick<Message, 'parts'>): ReadMessage => {
  const texts: string[] = []
  const files: ReadMessage['files'][number][] = []
  for (const part of parts) {
    const { text, raw, url, data } = part
    if (url !== undefined) throw a2aErrors.a2a_content_unsupported({ what: 'A part with `url`' })
    if (text !== undefined) texts.push(text)
    else if (raw !== undefined) files.push(fileOf(part, raw))
    else texts.push(JSON.stringify(data))
  }
  const text = texts.filter(one => one.trim() !== '').join('\n\n')
  if (text === '' && files.length === 0) throw invalid('the message has no text')
  if (text.length > chatLimits.messageCharacters)
    throw invalid(`the message has more than ${chatLimits.messageCharacters} characters`)
  return { text, data: parts.find(({ data }) => data !== undefined)?.data, files, parts: parts.map(storedPart) }
}

const invalid = (problem: string) => a2aErrors.a2a_params_invalid({ problem })

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/

const fileOf = (
  { filename, mediaType = 'application/octet-stream' }: Part,
  raw: string,
): ReadMessage['files'][number] => {
  if (!base64.test(raw)) throw invalid('`raw` is not base64')
  return { mediaType, ...(filename ? { filename } : {}), content: new Uint8Array(Buffer.from(raw, 'base64')) }
}

const storedPart = ({ text, data, filename, mediaType }: Part): StoredPart => ({
  text: text ?? (data === undefined ? `[file ${filename ?? 'without a name'}]` : JSON.stringify(data)),
  ...(filename ? { filename } : {}),
  ...(mediaType ? { mediaType } : {}),
})
