import type { MessageText } from './message-text.ts'

/** Where a message of the bot belongs. */
export interface MessagePlace {
  readonly roomId: string
  /** The root of the thread. */
  readonly thread: string | null
  /** The message that it answers, where that is to be shown. */
  readonly repliesTo?: string
  /** Whom it is for. */
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
