import { defineRoute, type Route } from '@sibyl/plugin'
import type { ActionTarget, OperatorActions, WaitingAction } from './operator-actions.ts'
import type { OperatorLock } from './operator-lock.ts'
import { operatorRoute } from './operator-route.ts'
import {
  actionParams,
  actionsQuery,
  actionsRecord,
  confirmRequest,
  doneRecord,
  exportRecord,
  oneTimePinRecord,
  phoneRequest,
  targetRequest,
  waitingRecord,
} from './operator-schemas.ts'

const base = '/api/ussd/customers'
const { json, problem, refusals, description: access } = operatorRoute

const body = <Schema>(schema: Schema) => ({ required: true, content: { 'application/json': { schema } } })

const requestAnswers = {
  202: json('It is recorded, and waits for its confirmation', waitingRecord),
  400: problem('`input_invalid`'),
  ...refusals,
}

const confirmProblems = {
  400: problem('`input_invalid`'),
  ...refusals,
  403: problem('`confirmation_wrong`'),
  404: problem('`operator_action_not_found`, `customer_not_found`'),
  409: problem('`operator_action_over`'),
}

const confirmWithin = 'Confirm it within 15 minutes with the word of the answer; after five wrong words it is over.'

/**
 * The routes by which an operator gives a customer a new PIN, unlocks, exports and erases; closed without
 * `USSD_OPERATOR_TOKEN`. Phone numbers stand in bodies alone, never in an address that servers log.
 */
export const customerRoutes = (actions: OperatorActions, lock: OperatorLock): Route[] => {
  const options = operatorRoute.behind(lock)
  return [
    defineRoute(
      'own',
      {
        method: 'post',
        path: `${base}/resets`,
        summary: "Ask for a reset of a customer's PIN",
        description: `First of two steps. Nothing changes yet. ${confirmWithin} ${access}`,
        request: { body: body(targetRequest) },
        responses: {
          ...requestAnswers,
          404: problem('`customer_not_found`'),
          409: problem('`customer_ambiguous`: name the customer by `customerId`'),
        },
      },
      async c => {
        const { operator, reason, ...target } = c.req.valid('json')
        return c.json(waiting(await actions.request('reset', targetOf(target), { operator, reason })), 202)
      },
      options,
    ),
    defineRoute(
      'own',
      {
        method: 'post',
        path: `${base}/resets/{id}/confirm`,
        summary: "Reset a customer's PIN",
        description:
          'Second step. The old PIN is good no more, locks are lifted, and the customer signs in with the one-time PIN within ' +
          `an hour and chooses a new one. ${access}`,
        request: { params: actionParams, body: body(confirmRequest) },
        responses: { 200: json('The one-time PIN', oneTimePinRecord), ...confirmProblems },
      },
      async c => {
        const reset = await actions.confirm('reset', c.req.valid('param').id, c.req.valid('json'))
        return c.json({ pin: reset!.pin, validUntil: timeOf(reset!.validUntil) }, 200)
      },
      options,
    ),
    defineRoute(
      'own',
      {
        method: 'post',
        path: `${base}/unlocks`,
        summary: 'Ask to lift the locks of a customer or a phone',
        description: `First of two steps. A phone number stands for the phone and all its customers. ${confirmWithin} ${access}`,
        request: { body: body(targetRequest) },
        responses: { ...requestAnswers, 404: problem('`customer_not_found`') },
      },
      async c => {
        const { operator, reason, ...target } = c.req.valid('json')
        return c.json(waiting(await actions.request('unlock', targetOf(target), { operator, reason })), 202)
      },
      options,
    ),
    defineRoute(
      'own',
      {
        method: 'post',
        path: `${base}/unlocks/{id}/confirm`,
        summary: 'Lift locks',
        description: `Second step. It may be sent again. ${access}`,
        request: { params: actionParams, body: body(confirmRequest) },
        responses: { 200: json('It is done', doneRecord), ...confirmProblems },
      },
      async c => {
        await actions.confirm('unlock', c.req.valid('param').id, c.req.valid('json'))
        return c.json({ done: true as const }, 200)
      },
      options,
    ),
    defineRoute(
      'own',
      {
        method: 'post',
        path: `${base}/exports`,
        summary: 'Export all that is kept of a phone',
        description: `Recorded. It may be sent again. ${access}`,
        request: { body: body(phoneRequest) },
        responses: { 200: json('What is kept', exportRecord), 400: problem('`input_invalid`'), ...refusals },
      },
      async c => {
        const { phoneNumber, ...note } = c.req.valid('json')
        return c.json({ ...(await actions.export(phoneNumber, note)) }, 200) as never
      },
      options,
    ),
    defineRoute(
      'own',
      {
        method: 'post',
        path: `${base}/erasures`,
        summary: 'Ask to erase all that is kept of a phone, its customers among it',
        description: `First of two steps. ${confirmWithin} ${access}`,
        request: { body: body(phoneRequest) },
        responses: requestAnswers,
      },
      async c => {
        const { phoneNumber, ...note } = c.req.valid('json')
        return c.json(waiting(await actions.request('erase', { phoneNumber }, note)), 202)
      },
      options,
    ),
    defineRoute(
      'own',
      {
        method: 'post',
        path: `${base}/erasures/{id}/confirm`,
        summary: 'Erase all that is kept of a phone',
        description: `Second step. Recorded without the phone number. It may be sent again. ${access}`,
        request: { params: actionParams, body: body(confirmRequest) },
        responses: { 200: json('It is done', doneRecord), ...confirmProblems },
      },
      async c => {
        await actions.confirm('erase', c.req.valid('param').id, c.req.valid('json'))
        return c.json({ done: true as const }, 200)
      },
      options,
    ),
    defineRoute(
      'own',
      {
        method: 'get',
        path: `${base}/actions`,
        summary: 'What operators asked for, the latest first',
        description: access,
        request: { query: actionsQuery },
        responses: {
          200: json('The records', actionsRecord),
          400: problem('`input_invalid`'),
          ...refusals,
          404: problem('`operator_action_not_found`: `before` is none'),
        },
      },
      async c => {
        const list = await actions.list(c.req.valid('query'))
        const records = list.map(({ requestedAt, doneAt, ...record }) => ({
          ...record,
          requestedAt: timeOf(requestedAt),
          ...(doneAt === undefined ? {} : { doneAt: timeOf(doneAt) }),
        }))
        return c.json({ actions: records }, 200)
      },
      options,
    ),
  ]
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

const waiting = ({ expiresAt, ...action }: WaitingAction) => ({ ...action, expiresAt: timeOf(expiresAt) })

const targetOf = ({
  phoneNumber,
  customerId,
}: {
  readonly phoneNumber?: string | undefined
  readonly customerId?: string | undefined
}): ActionTarget => (customerId === undefined ? { phoneNumber: phoneNumber ?? '' } : { customerId })
