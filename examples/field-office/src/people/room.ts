import type { Teller } from '@sibyl/example-field-research/teller'
import type { MatrixUser, RoomMessage } from './matrix-user.ts'

/** A room as one of those in it sees it. */
export interface Room {
  /** Sends a message of a user to it. */
  says(who: string, user: MatrixUser, text: string): Promise<void>
  /** Waits until the oracle's latest message, with its edits, is about something. @returns its text */
  oracleSays(about: RegExp): Promise<string>
  /** Returns the number of messages of the oracle so far. */
  answers(): number
  leave(): Promise<void>
}

/** Looks into a room. */
export const lookInto = (user: MatrixUser, roomId: string, bot: string, tell: Teller): Room => {
  const leaving = new AbortController()
  const messages = user.messages(roomId, leaving.signal)
  const said = new Map<string, string>()
  let told = 0
  const take = ({ id, sender, text, replaces }: RoomMessage) => {
    if (sender === bot) said.set(replaces ?? id, text)
  }
  return {
    async says(who, speaker, text) {
      tell.blank()
      tell.speech(who, text)
      await speaker.say(roomId, text)
    },
    async oracleSays(about) {
      for (;;) {
        const found = [...said.values()].slice(told).find(text => about.test(text))
        if (found !== undefined) {
          told += 1
          tell.speech('Field Oracle', found)
          return found
        }
        const { value, done } = await messages.next()
        if (done) throw new Error('The room was left.')
        take(value)
      }
    },
    answers: () => said.size,
    async leave() {
      leaving.abort()
      await messages.return(undefined)
    },
  }
}
