import { type Host, hasUnsafeText, isoTime, problem, type Route, route } from '@sibyl/plugin'
import { normalPhone } from '@sibyl/plugin/phones'
import { z } from 'zod'
import { isCustomerId } from '../customers/customer-id.ts'
import { ussdErrors } from '../errors/ussd-errors.ts'
import { customerActions, waitingAction } from '../records/customer-action-records.ts'
import type { ActionTarget, OperatorActions, WaitingAction } from './operator-actions.ts'
import { type OperatorLock, operatorErrors, operatorOnly } from './operator-lock.ts'

/**
 * Returns the routes with which an operator resets a PIN, unlocks, exports and erases; closed without
 * `USSD_OPERATOR_TOKEN`. Phone numbers are only in bodies, never in a URL that servers log.
 */
export const customerRoutes = (
  actions: OperatorActions,
  people: Pick<Host['people'], 'stream'>,
  lock: OperatorLock,
): Route[] => {
  const own = { auth: 'own', ...lock } as const
  const changesTarget = {
    ...own,
    body: targetRequest,
    errors: [...operatorErrors, ussdErrors.customer_not_found],
  } as const
  const confirms = { ...own, params: actionParams, body: confirmRequest, errors: confirmErrors } as const
  const requestChange = async (
    kind: 'reset' | 'unlock',
    { operator, reason, ...target }: z.output<typeof targetRequest>,
  ) => waiting(await actions.request(kind, targetOf(target), { operator, reason }))
  /** Returns the second step of an action without a result. */
  const confirmRoute = (kind: 'unlock' | 'erase', path: string, summary: string, description: string) =>
    route.post(`${base}/${path}/{id}/confirm`, { ...confirms, summary, description, ok: doneAnswer }, async c => {
      await actions.confirm(kind, c.req.valid('param').id, c.req.valid('json'))
      return c.json({ done: true })
    })
  return [
    route.post(
      `${base}/resets`,
      {
        ...changesTarget,
        summary: "Ask for a reset of a customer's PIN",
        description: `First of two steps. Nothing changes yet. ${confirmWithin} ${operatorOnly}`,
        ok: { ...waitingAnswer, 409: problem('`customer_ambiguous`: name the customer by `customerId`') },
      },
      async c => c.json(await requestChange('reset', c.req.valid('json')), 202),
    ),
    route.post(
      `${base}/resets/{id}/confirm`,
      {
        ...confirms,
        summary: "Reset a customer's PIN",
        description:
          'Second step. The old PIN is good no more, locks are lifted, and the customer signs in with the one-time PIN within ' +
          `an hour and chooses a new one. ${operatorOnly}`,
        ok: { 200: { description: 'The one-time PIN', schema: oneTimePinRecord } },
      },
      async c => {
        const reset = await actions.confirm('reset', c.req.valid('param').id, c.req.valid('json'))
        return c.json({ pin: reset!.pin, validUntil: isoTime(reset!.validUntil) })
      },
    ),
    route.post(
      `${base}/unlocks`,
      {
        ...changesTarget,
        summary: 'Ask to lift the locks of a customer or a phone',
        description: `First of two steps. A phone number stands for the phone and all its customers. ${confirmWithin} ${operatorOnly}`,
        ok: waitingAnswer,
      },
      async c => c.json(await requestChange('unlock', c.req.valid('json')), 202),
    ),
    confirmRoute('unlock', 'unlocks', 'Lift locks', `Second step. It may be sent again. ${operatorOnly}`),
    route.post(
      `${base}/exports`,
      {
        ...own,
        summary: 'Export all that is kept of a phone',
        description: `Recorded. It may be sent again. ${operatorOnly}`,
        body: phoneRequest,
        ok: { 200: { description: 'What is kept', schema: exportRecord } },
        errors: [...operatorErrors, { code: 'export_running', status: 429 }],
      },
      async c => {
        const { phoneNumber, ...note } = c.req.valid('json')
        const body = await people.stream(phoneNumber, () => actions.export(phoneNumber, note))
        return new Response(body, { headers: { 'content-type': 'application/json' } })
      },
    ),
    route.post(
      `${base}/erasures`,
      {
        ...own,
        summary: 'Ask to erase all data of a phone and its customers',
        description: `First of two steps. ${confirmWithin} ${operatorOnly}`,
        body: phoneRequest,
        ok: waitingAnswer,
        errors: operatorErrors,
      },
      async c => {
        const { phoneNumber, ...note } = c.req.valid('json')
        return c.json(waiting(await actions.request('erase', { phoneNumber }, note)), 202)
      },
    ),
    confirmRoute(
      'erase',
      'erasures',
      'Erase all that is kept of a phone',
      `Second step. Recorded without the phone number. It may be sent again. ${operatorOnly}`,
    ),
    route.get(
      `${base}/actions`,
      {
        ...own,
        summary: 'What operators asked for, the latest first',
        description: operatorOnly,
        query: actionsQuery,
        ok: {
          200: { description: 'The records', schema: customerActions },
          404: problem('`operator_action_not_found`: `before` is unknown'),
        },
        errors: operatorErrors,
      },
      async c => {
        const list = await actions.list(c.req.valid('query'))
        const records = list.map(({ requestedAt, doneAt, ...record }) => ({
          ...record,
          requestedAt: isoTime(requestedAt),
          ...(doneAt === undefined ? {} : { doneAt: isoTime(doneAt) }),
        }))
        return c.json({ actions: records })
      },
    ),
  ]
}

const waiting = ({ expiresAt, ...action }: WaitingAction) => ({ ...action, expiresAt: isoTime(expiresAt) })

const targetOf = ({
  phoneNumber = '',
  customerId,
}: Partial<Record<'phoneNumber' | 'customerId', string | undefined>>): ActionTarget =>
  customerId === undefined ? { phoneNumber } : { customerId }

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
const targetRequest = z
  .object({ phoneNumber: phoneNumber.optional(), customerId: customerId.optional(), ...note })
  .refine(({ phoneNumber: phone, customerId: id }) => (phone === undefined) !== (id === undefined), {
    error: 'give either phoneNumber or customerId',
  })

const phoneRequest = z.object({ phoneNumber, ...note })

const confirmRequest = z.object({
  confirmation: line(1, 40).meta({ description: 'The confirmation word of the request', example: 'tilomera' }),
  operator,
})

const actionParams = z.object({
  id: z.uuid().meta({ description: "The request's id", example: '0b0f6a0e-6f6c-4a5e-9a39-3f1d1f1f7a55' }),
})

const time = z.iso.datetime()

const oneTimePinRecord = z.object({
  pin: z.string().meta({ description: 'Six digits; shown this once', example: '830549' }),
  validUntil: time,
})

const doneRecord = z.object({ done: z.literal(true) })

const exportRecord = z.record(z.string(), z.unknown()).meta({
  description:
    'What the gateway keeps of the phone: `customers`, `phone`, `operatorActions`, `sessions`, `questions`; and as `person` ' +
    "the oracle's stored data of the phone's user: `sessions`, its conversations, and by plugin name the data of each plugin",
})

const actionsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.uuid().optional().meta({ description: 'The id of the last one of the page before' }),
})

const base = '/api/ussd/customers'
const confirmWithin = 'Confirm it within 15 minutes with the word of the answer; after five wrong words it is over.'
const waitingAnswer = {
  202: { description: 'It is recorded, and waits for its confirmation', schema: waitingAction },
}
const doneAnswer = { 200: { description: 'It is done', schema: doneRecord } }
const confirmErrors = [
  ...operatorErrors,
  ussdErrors.confirmation_wrong,
  ussdErrors.operator_action_not_found,
  ussdErrors.customer_not_found,
  ussdErrors.operator_action_over,
]
