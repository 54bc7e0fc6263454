import type { Narrator } from '@sibyl/example-field-research/narrator'
import type { MatrixUser, RoomMessage } from './matrix-user.ts'

/** A room as one of those in it sees it. */
export interface Room {
  /** Sends a message of a user to it. */
  waitForText(who: string, user: MatrixUser, text: string): Promise<void>
  /** Waits until the oracle's latest message, with its edits, is about something. @returns its text */
  waitForAnswer(about: RegExp): Promise<string>
  /** Returns the number of messages of the oracle so far. */
  answers(): number
  leave(): Promise<void>
}

/** Looks into a room. */
export const openRoom = (user: MatrixUser, roomId: string, bot: string, narrator: Narrator): Room => {
  const leaving = new AbortController()
  const messages = user.messages(roomId, leaving.signal)
  const texts = new Map<string, string>()
  let reported = 0
  const take = ({ id, sender, text, replaces }: RoomMessage) => {
    if (sender === bot) texts.set(replaces ?? id, text)
  }
  return {
    async waitForText(who, speaker, text) {
      narrator.blank()
      narrator.speech(who, text)
      await speaker.send(roomId, text)
    },
    async waitForAnswer(about) {
      for (;;) {
        const found = [...texts.values()].slice(reported).find(text => about.test(text))
        if (found !== undefined) {
          reported += 1
          narrator.speech('Field Oracle', found)
          return found
        }
        const { value, done } = await messages.next()
        if (done) throw new Error('The room was left.')
        take(value)
      }
    },
    answers: () => texts.size,
    async leave() {
      leaving.abort()
      await messages.return(undefined)
    },
  }
}
