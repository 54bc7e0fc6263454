import { defineRoute, type Route, routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import { maskNumber, readPhoneNumber } from '../numbers/phone-number.ts'
import type { PhoneLinks } from '../phones/link-phone.ts'
import type { LinkedPhone, LinkStore } from '../phones/link-store.ts'
import { smsErrors, smsFailures } from '../sms-errors.ts'

/** Dependencies of the routes. */
export interface PhoneRoutesDependencies {
  readonly links: PhoneLinks
  readonly store: LinkStore
}

const tags = ['SMS']
const to = z.string().max(40).meta({ description: 'A number with its country', example: '+260971234567' })

const linkedPhone = z.object({
  id: z.string(),
  phone: z.string().meta({ description: 'The number, masked', example: '+26097•••4567' }),
  linkedAt: z.iso.datetime(),
})

const refused = { 401: routeAnswers.problem('Not authenticated'), 403: routeAnswers.problem('Not allowed') }

/** Routes with which callers link phones of their own: `POST`, `GET /sms/phones`, confirm and `DELETE`. */
export const phoneRoutes = ({ links, store }: PhoneRoutesDependencies): Route[] => [
  defineRoute(
    { ucan: 'sms/link' },
    {
      method: 'post',
      path: '/sms/phones',
      tags,
      summary: 'Link a phone: send a code to it',
      description:
        'What you have sent by SMS goes to phones of yours alone: the one that you write from, and those that you linked. ' +
        'The code is good for ten minutes.',
      request: { body: routeAnswers.body(z.object({ to })) },
      responses: {
        200: routeAnswers.json(
          'The phone is yours already, or a code was sent',
          z.object({
            linked: z.boolean(),
            expiresAt: z.iso.datetime().optional().meta({ description: 'Until when the code is good' }),
          }),
        ),
        400: routeAnswers.problem('`sms_number_invalid`, `input_invalid`'),
        401: refused[401],
        403: routeAnswers.problem('Not allowed; `sms_phone_not_own` with `ORACLE_ACCESS=open`'),
        409: routeAnswers.problem('`sms_opted_out`, `sms_links_full`'),
        429: routeAnswers.problem('`sms_limit_reached`'),
      },
    },
    async c => {
      const { linked, expiresAt } = await links.begin(c.get('actor')!, phoneIn(c.req.valid('json').to))
      const until = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }
      return c.json({ linked, ...until }, 200)
    },
  ),
  defineRoute(
    { ucan: 'sms/link' },
    {
      method: 'post',
      path: '/sms/phones/confirm',
      tags,
      summary: 'Link a phone: confirm it with the code',
      request: { body: routeAnswers.body(z.object({ to, code: z.string().regex(/^[0-9]{6}$/) })) },
      responses: {
        200: routeAnswers.json('The phone is linked', linkedPhone),
        400: routeAnswers.problem('`sms_code_invalid`, `sms_number_invalid`, `input_invalid`'),
        ...refused,
      },
    },
    async c => {
      const { to: given, code } = c.req.valid('json')
      return c.json(recordOf(await links.confirm(c.get('actor')!, phoneIn(given), code)), 200)
    },
  ),
  defineRoute(
    { ucan: 'sms/read' },
    {
      method: 'get',
      path: '/sms/phones',
      tags,
      summary: 'The phones that you linked',
      responses: { 200: routeAnswers.json('The phones', z.object({ phones: z.array(linkedPhone) })), ...refused },
    },
    async c => c.json({ phones: (await store.list(c.get('actor')!.did)).map(recordOf) }, 200),
  ),
  defineRoute(
    { ucan: 'sms/link' },
    {
      method: 'delete',
      path: '/sms/phones/{id}',
      tags,
      summary: 'Remove a phone that you linked',
      request: { params: z.object({ id: z.uuid() }) },
      responses: {
        204: { description: 'Removed' },
        ...refused,
        404: routeAnswers.problem('`sms_link_unknown`'),
      },
    },
    async c => {
      if (!(await store.remove(c.get('actor')!.did, c.req.valid('param').id))) throw smsErrors.sms_link_unknown()
      return c.body(null, 204)
    },
  ),
]

const phoneIn = (text: string): string => {
  const phone = readPhoneNumber(text)
  if (phone === undefined) throw smsFailures.sms_number_invalid()
  return phone
}

const recordOf = ({ id, phone = '', linkedAt }: LinkedPhone) => ({
  id,
  phone: maskNumber(phone),
  linkedAt: new Date(linkedAt).toISOString(),
})
