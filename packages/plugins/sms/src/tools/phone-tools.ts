import { defineTool, personalAbility, type Tools } from '@sibyl/plugin'
import { z } from 'zod'
import { maskNumber, readPhoneNumber, requirePhoneNumber } from '../numbers/phone-number.ts'
import type { PhoneLinks } from '../services/link-phone.ts'

/** A phone number as the model gives it. */
export const phoneInput = z
  .string()
  .max(40)
  .refine(text => readPhoneNumber(text) !== undefined, 'must be a number with its country, such as +260971234567')
  .describe('A phone number with its country: +260971234567')

/** Tools with which a person links a phone of theirs. */
export const phoneTools = (links: PhoneLinks): Tools => ({
  link_phone: defineTool({
    description: 'Sends a code to a phone, so that the person can link it; SMS go to phones of theirs alone.',
    effect: 'write',
    ability: 'sms/link',
    approval: 'user',
    input: z.object({ to: phoneInput }),
    describe: ({ to }) => `Send a code by SMS to ${readPhoneNumber(to) ?? to}, to link that phone to you.`,
    output: z.object({ linked: z.boolean(), summary: z.string() }),
    async execute({ to }, { turn }) {
      const phone = requirePhoneNumber(to)
      const { linked } = await links.begin(turn.actor, phone)
      const shown = maskNumber(phone)
      const summary = linked
        ? `${shown} is yours already.`
        : `A code is on its way to ${shown}. Say it here within ten minutes, and the phone is linked.`
      return { linked, summary }
    },
  }),
  confirm_phone: defineTool({
    description: 'Links a phone with the code that link_phone sent to it.',
    effect: 'write',
    ability: ['sms/link', personalAbility],
    input: z.object({
      to: phoneInput,
      code: z
        .string()
        .trim()
        .regex(/^[0-9]{6}$/, 'must be the six digits of the code'),
    }),
    output: z.object({ summary: z.string() }),
    async execute({ to, code }, { turn }) {
      const phone = requirePhoneNumber(to)
      await links.confirm(turn.actor, phone, code)
      return { summary: `${maskNumber(phone)} is linked to you.` }
    },
  }),
})
