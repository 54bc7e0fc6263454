import { hasUnsafeText } from '@sibyl/plugin'
import { normalPhone } from '@sibyl/plugin/phones'
import { z } from 'zod'
import { isCustomerId } from '../customers/customer-id.ts'

const line = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine(text => !hasUnsafeText(text), 'must be one line of visible characters')

const phoneNumber = z
  .string()
  .max(40)
  .overwrite(normalPhone)
  .refine(text => /^\+[1-9]\d{1,14}$/.test(text), 'must be a number with its country code, such as +260971234567')
  .meta({ description: "The phone's number, with its country code", example: '+260971234567' })

const customerId = z
  .string()
  .refine(isCustomerId, 'is not nine digits, the last one a check digit')
  .meta({ description: "The customer's id, nine digits", example: '123456782', maxLength: 9 })

const operator = line(1, 100).meta({ description: 'Who you are; recorded', example: 'Mutale, hotline' })

const note = {
  operator,
  reason: line(3, 500).meta({
    description: 'Why; recorded. Leave phone numbers and names out of it',
    example: 'Forgot the PIN; identity checked by call-back',
  }),
}

/** Body of a request about one customer: the ID, or a phone number with one customer. */
export const targetRequest = z
  .object({ phoneNumber: phoneNumber.optional(), customerId: customerId.optional(), ...note })
  .refine(({ phoneNumber: phone, customerId: id }) => (phone === undefined) !== (id === undefined), {
    error: 'give either phoneNumber or customerId',
  })

export const phoneRequest = z.object({ phoneNumber, ...note })

export const confirmRequest = z.object({
  confirmation: line(1, 40).meta({ description: 'The confirmation word of the request', example: 'tilomera' }),
  operator,
})

export const actionParams = z.object({
  id: z.uuid().meta({ description: "The request's id", example: '0b0f6a0e-6f6c-4a5e-9a39-3f1d1f1f7a55' }),
})

const time = z.iso.datetime()

export const oneTimePinRecord = z.object({
  pin: z.string().meta({ description: 'Six digits; shown this once', example: '830549' }),
  validUntil: time,
})

export const doneRecord = z.object({ done: z.literal(true) })

export const exportRecord = z.record(z.string(), z.unknown()).meta({
  description:
    'What the gateway keeps of the phone: `customers`, `phone`, `operatorActions`, `sessions`, `questions`; and as `person` ' +
    "the oracle's stored data of the phone's user: `sessions`, its conversations, and by plugin name the data of each plugin",
})

export const actionsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.uuid().optional().meta({ description: 'The id of the last one of the page before' }),
})
