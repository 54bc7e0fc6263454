import type { ChatTurn, OracleClient } from '@sibyl/client'
import type { Narrator } from '@sibyl/example-field-research/narrator'

/** A user who chats with the oracle in one session. */
export interface Chat {
  /** Says something, and allows what the agent asks to be allowed. @returns the answer */
  send(words: string): Promise<string>
}

/** A turn did not go as it should. */
export class TourFailure extends Error {
  override readonly name = 'TourFailure'
}

/** Creates the chat of a user, printed as it runs. */
export const chatOf = (person: OracleClient, sessionId: string, who: string, narrator: Narrator): Chat => {
  const follow = async (turn: ChatTurn): Promise<string> => {
    let text = ''
    const questions: string[] = []
    for await (const { event } of turn.events) {
      if (event.type === 'text-delta') text += event.delta
      else if (event.type === 'tool-approval-request') {
        questions.push(event.approvalId)
        narrator.speech('may it?', event.reason ?? '')
      } else if (event.type === 'tool-output-error') throw new TourFailure(event.errorText)
      else if (event.type === 'error') throw new TourFailure(event.errorText)
    }
    for (const approvalId of questions) {
      narrator.speech(who, 'yes, this once')
      const decided = await person.decide(sessionId, approvalId, 'once')
      if ('events' in decided) return follow(decided)
    }
    return text
  }
  return {
    async send(words) {
      narrator.blank()
      narrator.speech(who, words)
      const text = await follow(await person.chat(words, { sessionId }))
      narrator.speech('oracle', text)
      return text
    },
  }
}
