import { defineTool, personalAbility, type Tools, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import { readPhoneNumber, requirePhoneNumber } from '../numbers/phone-number.ts'
import { isText, longestText, type Outbox } from '../outbox/outbox.ts'
import type { QuietHold } from '../outbox/quiet-hold.ts'
import type { OwnMessages } from '../people/own-messages.ts'
import type { PhoneRights } from '../people/phone-rights.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { type SmsParts, smsParts } from '../text/sms-parts.ts'
import { timesPrice } from '../text/times-price.ts'
import { phoneInput } from './phone-tools.ts'

export interface SmsToolsParts {
  readonly outbox: Outbox
  readonly messages: OwnMessages
  readonly people: Pick<SmsPeople, 'didOf'>
  readonly heldUntil: QuietHold
  readonly rights: PhoneRights
  /** What one part costs, in plain decimals. */
  readonly price: { readonly perPart: string; readonly currency: string } | undefined
}

/** What the agent can do with SMS. */
export const smsTools = ({ outbox, messages, price, people, heldUntil, rights }: SmsToolsParts): Tools => {
  /** What is said of a message before and after it is approved: parts, price, and when it goes. */
  const termsOf = async (phone: string, text: string, cause: string): Promise<string> => {
    const until = await heldUntil({ purpose: 'person', did: people.didOf(phone), cause })
    const when = until === undefined ? '' : `, not before ${new Date(until).toISOString().slice(0, 16)}Z: quiet hours`
    return `${sizeOf(text)}${costOf(text, price)}${when}`
  }
  return {
    send_sms: defineTool({
      description:
        'Sends an SMS to a phone of the person, once they have approved it. Costs money for each part. Another phone is linked first: link_phone.',
      effect: 'write',
      ability: ['sms/send', personalAbility],
      approval: 'user',
      input: z.object({
        to: phoneInput,
        text: z
          .string()
          .trim()
          .min(1)
          .max(longestText)
          .refine(isText, 'has a character that no SMS carries')
          .describe('Plain text; 160 characters of Latin script are one part'),
      }),
      async describe({ to, text }, { actor }) {
        const phone = readPhoneNumber(to) ?? to
        return `Send an SMS to ${phone}: ${await termsOf(phone, text, actor.did)}.`
      },
      output: z.object({
        id: z.string(),
        parts: z.number(),
        encoding: z.enum(['gsm7', 'ucs2']),
        summary: z.string(),
      }),
      async execute({ to, text }, { turn, idempotencyKey }) {
        const phone = requirePhoneNumber(to)
        const key = `person ${turn.actor.did} ${idempotencyKey}`
        const { id, parts, encoding } = await outbox.take({
          key,
          to: phone,
          text,
          purpose: 'person',
          cause: turn.actor.did,
          actor: turn.actor,
          toOthers: rights.maySendToOthers(turn.actor),
        })
        return { id, parts, encoding, summary: `The SMS is on its way: ${await termsOf(phone, text, turn.actor.did)}.` }
      },
    }),
    list_messages: defineTool({
      description:
        'Lists the latest SMS of this person: what they had sent, what they got, what they wrote; with what became of each.',
      effect: 'read',
      ability: ['sms/read', personalAbility],
      input: z.object({}),
      output: z.object({
        found: z.number(),
        summary: z.string(),
        messages: z.object({ source: z.string(), notice: z.string(), text: z.string() }),
      }),
      async execute(_, { turn }) {
        const found = await messages.of(turn.actor.did, 20)
        const lines = found.map(
          ({ at, direction, phone, state, text }) =>
            `- ${at.slice(0, 16)}Z ${direction} ${phone}, ${state}: ${text ?? '(secret)'}`,
        )
        const advice = new Map(found.flatMap(({ state, advice }) => (advice === undefined ? [] : [[state, advice]])))
        const heading = found.length === 0 ? 'There are no SMS of yours.' : 'These are the latest SMS:'
        return {
          found: found.length,
          summary: [...[...advice].map(([state, what]) => `What is ${state}: ${what}`), heading].join('\n'),
          messages: untrustedContent('sms', lines.join('\n')),
        }
      },
    }),
  }
}

const encodings: Readonly<Record<SmsParts['encoding'], string>> = { gsm7: 'GSM-7', ucs2: 'UCS-2' }

/** How long a text is: `2 parts (GSM-7)`. */
const sizeOf = (text: string): string => {
  const { parts, encoding } = smsParts(text)
  return `${parts} ${parts === 1 ? 'part' : 'parts'} (${encodings[encoding]})`
}

/** What it costs, where that is known: `, about 1.60 KES`. */
const costOf = (text: string, price: SmsToolsParts['price']): string =>
  price ? `, about ${timesPrice(price.perPart, smsParts(text).parts, 2)} ${price.currency}` : ''
