import { joined } from './answer-texts.ts'
import { escapedHtml } from './escaped-html.ts'
import { mostCharacters, splitMarkdown, splitText } from './split-text.ts'

/** Where a message of the bot belongs. */
export interface MessagePlace {
  readonly roomId: string
  /** The root of the thread. */
  readonly thread: string | null
  /** The message that it answers, where that is to be shown. */
  readonly repliesTo?: string
  readonly mentions?: readonly string[]
}

type Content = Readonly<Record<string, unknown>>

/**
 * The content of a text message of the bot (Matrix v1.11, `m.room.message`). `m.automated` (MSC3955) tells other bots that
 * it needs no answer.
 *
 * @param kind `m.notice` for what the bot says of itself.
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

/** The content that puts another text in the place of a message (`m.replace`); clients without edits show its plain text. */
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
  /** The same as HTML, where it has any Markdown. */
  readonly html?: string
}

/** The most that an event's texts may hold, in bytes of JSON: a homeserver takes 65,536 for all of it. */
const mostBytes = 60_000

export const markdownMessages = (text: string): Promise<MessageText[]> =>
  Promise.all(splitMarkdown(text).map(async body => messageText(body, await markdownHtmlOf(body))))

/**
 * The messages of an answer.
 *
 * @param text In Markdown.
 * @param plain What follows it in words that are shown as they are: a question must hide nothing of what it is about.
 */
export const answerMessages = async (text: string, plain = ''): Promise<MessageText[]> => {
  if (plain.trim() === '') return markdownMessages(text)
  const questions = splitText(plain)
  if (text.trim() === '') return questions.map(body => ({ body }))
  const answer = await markdownMessages(text)
  const [first] = answer
  const body = joined(splitMarkdown(text, { isWhole: true })[0] ?? '', plain)
  if (answer.length > 1 || first === undefined || body.length > mostCharacters) {
    return [...answer, ...questions.map(question => ({ body: question }))]
  }
  const html = first.html && `${first.html}<p>${escapedHtml(plain.trim()).replaceAll('\n', '<br>')}</p>`
  return [messageText(body, html)]
}

/** The reader of Markdown is loaded when the first text is sent. */
const markdownHtmlOf = async (text: string): Promise<string | undefined> =>
  (await import('./markdown-html.ts')).markdownHtml(text)

const messageText = (body: string, html: string | undefined): MessageText => {
  if (html === undefined || jsonBytes(html) + 2 * jsonBytes(body) > mostBytes) return { body }
  return { body, html }
}

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text))
