import { setTimeout } from 'node:timers/promises'
import type { Narrator } from '@sibyl/example-field-research/narrator'
import { sendUssd, type UssdDialogue } from '@sibyl/plugin-ussd/testing'
import { z } from 'zod'
import type { Office } from '../office/open-office.ts'

/** A phone: what its owner types, and the screens and SMS that it shows. */
export interface Phone {
  /** Dials the oracle's code. */
  dial(): Promise<void>
  /** Types one answer after the other. @returns the last screen */
  type(...answers: readonly string[]): Promise<string>
  /** Dials and sends one answer after the other; prints only the last screen. */
  typeUnseen(...answers: readonly string[]): Promise<string>
  /** Sends a secret, which is not printed. */
  typeSecret(secret: string): Promise<void>
  /** Waits until it got another SMS. @returns its text */
  getsSms(): Promise<string>
}

const outbox = z.object({ messages: z.array(z.object({ to: z.string(), text: z.string().optional() })) })

/** Creates the phone of a user, connected to an office. */
export const phoneOf = (office: Office, owner: string, phoneNumber: string, narrator: Narrator): Phone => {
  let call: UssdDialogue | undefined
  let smsSeen = 0
  const show = (screen: UssdDialogue): string => {
    call = screen
    for (const line of screen.lines) narrator.speech('', `│ ${line}`)
    return screen.text
  }
  const answer = async (typed: string): Promise<string> => {
    if (!call) throw new Error(`${owner} has not dialled.`)
    return show(await call.answer(typed))
  }
  return {
    async dial() {
      narrator.blank()
      narrator.speech(owner, '*1234#')
      show(await sendUssd(office.url, { phoneNumber }))
    },
    async type(...answers) {
      let screen = ''
      for (const typed of answers) {
        narrator.speech(owner, typed)
        screen = await answer(typed)
      }
      return screen
    },
    async typeUnseen(...answers) {
      const dialled = await sendUssd(office.url, { phoneNumber })
      narrator.blank()
      return show(await dialled.answer(...answers))
    },
    async typeSecret(secret) {
      narrator.speech(owner, '••••')
      await answer(secret)
    },
    async getsSms() {
      const own = `${phoneNumber.slice(0, 6)}•••${phoneNumber.slice(-4)}`
      for (;;) {
        const response = await fetch(new URL('/sms/outbox', office.url), {
          headers: { authorization: `Bearer ${office.operatorToken}` },
        })
        const received = outbox.parse(await response.json()).messages.filter(({ to }) => to === own)
        const text = received.toReversed()[smsSeen]?.text
        if (text !== undefined) {
          smsSeen += 1
          narrator.speech(`SMS ${owner}`, text)
          return text
        }
        await setTimeout(50)
      }
    },
  }
}
