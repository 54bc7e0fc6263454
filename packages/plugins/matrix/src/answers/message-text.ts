import { joined } from './answer-words.ts'
import { escapedHtml } from './escaped-html.ts'
import { mostCharacters, splitMarkdown, splitText } from './split-text.ts'

/** The text of one message. */
export interface MessageText {
  readonly body: string
  /** The same as HTML, where it has any Markdown. */
  readonly html?: string
}

/** The most that an event's texts may hold, in bytes of JSON: a homeserver takes 65,536 for all of it. */
const mostBytes = 60_000

/** The messages of a text in Markdown. */
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
