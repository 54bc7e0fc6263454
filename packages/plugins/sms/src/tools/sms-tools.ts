import { defineTool, personalAbility, type Tools, untrustedContent } from '@sibyl/plugin'
import { readPhoneNumber } from '@sibyl/plugin/phones'
import { z } from 'zod'
import { requirePhoneNumber } from '../numbers/phone-number.ts'
import { isText, longestText, type Outbox } from '../outbox/outbox.ts'
import type { QuietHold } from '../outbox/quiet-hold.ts'
import type { OwnMessages } from '../people/own-messages.ts'
import type { PhoneRights } from '../people/phone-rights.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { type SmsParts, smsParts } from '../text/sms-parts.ts'
import { timesPrice } from '../text/times-price.ts'
import { phoneInput } from './phone-tools.ts'

export interface SmsToolsDependencies {
  readonly outbox: Outbox
  readonly messages: OwnMessages
  readonly people: Pick<SmsPeople, 'didOf'>
  readonly heldUntil: QuietHold
  readonly rights: PhoneRights
  /** Price of one part, in plain decimals. */
  readonly price: { readonly perPart: string; readonly currency: string } | undefined
}

/** Creates the agent's tools for SMS. */
export const smsTools = ({ outbox, messages, price, people, heldUntil, rights }: SmsToolsDependencies): Tools => {
  /** Describes a message before and after its approval: parts, price, and delay. */
  const termsOf = async (phone: string, text: string, cause: string): Promise<string> => {
    const until = await heldUntil({ purpose: 'person', did: people.didOf(phone), cause })
    const when =
      until === undefined ? '' : `, not before ${new Date(until).toISOString().slice(0, 16)}Z because of quiet hours`
    return `${sizeOf(text)}${costOf(text, price)}${when}`
  }
  return {
    send_sms: defineTool({
      description:
        "Sends an SMS to the user's own phone, after the user approves it. Each part costs money. To use another phone, link it first with link_phone.",
      effect: 'write',
      repeatable: true,
      ability: ['sms/send', personalAbility],
      approval: 'user',
      input: z.object({
        to: phoneInput,
        text: z
          .string()
          .trim()
          .min(1)
          .max(longestText)
          .refine(isText, 'contains a character that SMS cannot transmit')
          .describe('Plain text; one part has 160 characters of Latin script'),
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
        return { id, parts, encoding, summary: `The SMS was queued: ${await termsOf(phone, text, turn.actor.did)}.` }
      },
    }),
    list_messages: defineTool({
      description: 'Lists the latest SMS of this user: sent, received and written, with their states.',
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
        const heading = found.length === 0 ? 'You have no SMS.' : 'The latest SMS:'
        return {
          found: found.length,
          summary: [...[...advice].map(([state, what]) => `State ${state}: ${what}`), heading].join('\n'),
          messages: untrustedContent('sms', lines.join('\n')),
        }
      },
    }),
  }
}

const encodings: Readonly<Record<SmsParts['encoding'], string>> = { gsm7: 'GSM-7', ucs2: 'UCS-2' }

/** Returns the length of a text: `2 parts (GSM-7)`. */
const sizeOf = (text: string): string => {
  const { parts, encoding } = smsParts(text)
  return `${parts} ${parts === 1 ? 'part' : 'parts'} (${encodings[encoding]})`
}

/** Returns the cost, if known: `, about 1.60 KES`. */
const costOf = (text: string, price: SmsToolsDependencies['price']): string =>
  price ? `, about ${timesPrice(price.perPart, smsParts(text).parts, 2)} ${price.currency}` : ''
