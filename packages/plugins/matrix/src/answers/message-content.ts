import { escapeHtml } from '@sibyl/plugin'
import { joined } from './answer-texts.ts'
import { maxCharacters, splitMarkdown, splitText } from './split-text.ts'

/** Place of a message of the bot. */
export interface MessagePlace {
  readonly roomId: string
  /** Root of the thread. */
  readonly thread: string | null
  /** The message that it visibly replies to. */
  readonly repliesTo?: string
  readonly mentions?: readonly string[]
}

type Content = Readonly<Record<string, unknown>>

/**
 * Creates the content of a text message of the bot (Matrix v1.11, `m.room.message`). `m.automated` (MSC3955) marks it
 * for other bots as not needing an answer.
 *
 * @param kind `m.notice` for texts of the bot itself.
 */
export const textContent = (
  text: MessageText,
  { thread, repliesTo, mentions = [] }: Omit<MessagePlace, 'roomId'>,
  kind: 'm.text' | 'm.notice' = 'm.text',
): Content => {
  const reply = repliesTo === undefined ? {} : { 'm.in_reply_to': { event_id: repliesTo } }
  const inThread = thread === null ? {} : { rel_type: 'm.thread', event_id: thread, is_falling_back: true }
  const relates = { ...inThread, ...reply }
  return {
    msgtype: kind,
    ...shown(text),
    'm.mentions': mentions.length === 0 ? {} : { user_ids: mentions },
    'm.automated': true,
    ...(Object.keys(relates).length === 0 ? {} : { 'm.relates_to': relates }),
  }
}

/** Creates the content that replaces a message (`m.replace`); clients without edits show its plain text. */
export const editContent = (text: MessageText, eventId: string): Content => ({
  msgtype: 'm.text',
  body: `* ${text.body}`,
  'm.mentions': {},
  'm.automated': true,
  'm.new_content': { msgtype: 'm.text', ...shown(text), 'm.mentions': {}, 'm.automated': true },
  'm.relates_to': { rel_type: 'm.replace', event_id: eventId },
})

const shown = ({ body, html }: MessageText): Content =>
  html === undefined ? { body } : { body, format: 'org.matrix.custom.html', formatted_body: html }

export interface MessageText {
  readonly body: string
  /** The same as HTML, if it has Markdown. */
  readonly html?: string
}

/** Maximum size of an event's texts, in bytes of JSON; a homeserver accepts 65,536 for the whole event. */
const maxBytes = 60_000

export const markdownMessages = (text: string): Promise<MessageText[]> =>
  Promise.all(splitMarkdown(text).map(async body => messageText(body, await markdownHtmlOf(body))))

/**
 * Splits an answer into messages.
 *
 * @param text Markdown.
 * @param plain Plain text that follows, so that a question cannot hide anything.
 */
export const answerMessages = async (text: string, plain = ''): Promise<MessageText[]> => {
  if (plain.trim() === '') return markdownMessages(text)
  const questions = splitText(plain)
  if (text.trim() === '') return questions.map(body => ({ body }))
  const answer = await markdownMessages(text)
  const [first] = answer
  const body = joined(splitMarkdown(text, { isWhole: true })[0] ?? '', plain)
  if (answer.length > 1 || first === undefined || body.length > maxCharacters) {
    return [...answer, ...questions.map(question => ({ body: question }))]
  }
  const html = first.html && `${first.html}<p>${escapeHtml(plain.trim()).replaceAll('\n', '<br>')}</p>`
  return [messageText(body, html)]
}

/** Loads the Markdown converter on first use. */
const markdownHtmlOf = async (text: string): Promise<string | undefined> =>
  (await import('./markdown-html.ts')).markdownHtml(text)

const messageText = (body: string, html: string | undefined): MessageText => {
  if (html === undefined || jsonBytes(html) + 2 * jsonBytes(body) > maxBytes) return { body }
  return { body, html }
}

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text))
