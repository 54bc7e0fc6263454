import { defineTool, personalAbility, type Tools } from '@sibyl/plugin'
import { maskPhone, readPhoneNumber } from '@sibyl/plugin/phones'
import { z } from 'zod'
import { requirePhoneNumber } from '../numbers/phone-number.ts'
import type { PhoneLinks } from '../services/link-phone.ts'

/** Schema of a phone number from the model. */
export const phoneInput = z
  .string()
  .max(40)
  .refine(text => readPhoneNumber(text) !== undefined, 'must be a number with its country code, such as +260971234567')
  .describe('A phone number with its country code: +260971234567')

export const phoneTools = (links: PhoneLinks): Tools => ({
  link_phone: defineTool({
    description: "Sends a code to a phone so that the user can link it; SMS can only be sent to the user's own phones.",
    effect: 'write',
    ability: 'sms/link',
    approval: 'user',
    input: z.object({ to: phoneInput }),
    describe: ({ to }) => `Send a code by SMS to ${readPhoneNumber(to) ?? to}, to link that phone to you.`,
    output: z.object({ linked: z.boolean(), summary: z.string() }),
    async execute({ to }, { turn }) {
      const phone = requirePhoneNumber(to)
      const { linked } = await links.begin(turn.actor, phone)
      const shown = maskPhone(phone)
      const summary = linked
        ? `${shown} already belongs to you.`
        : `A code was sent to ${shown}. Enter it here within ten minutes to link the phone.`
      return { linked, summary }
    },
  }),
  confirm_phone: defineTool({
    description: 'Links a phone with the code from link_phone.',
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
      return { summary: `${maskPhone(phone)} was linked to you.` }
    },
  }),
})
