import { type Route, route } from '@sibyl/plugin'
import { maskPhone } from '@sibyl/plugin/phones'
import { z } from 'zod'
import { smsErrors, smsFailures } from '../definitions/sms-errors.ts'
import { requirePhoneNumber } from '../numbers/phone-number.ts'
import type { LinkedPhone, LinkStore } from '../people/link-store.ts'
import { linkedPhone } from '../records/sms-records.ts'
import type { PhoneLinks } from '../services/link-phone.ts'

const to = z.string().max(40).meta({ description: 'A number with its country code', example: '+260971234567' })

/** Creates the routes by which callers link their phones: `POST`, `GET /sms/phones`, confirm and `DELETE`. */
export const phoneRoutes = (links: PhoneLinks, store: LinkStore): Route[] => [
  route.post(
    '/sms/phones',
    {
      auth: { ucan: 'sms/link' },
      summary: 'Link a phone: send a code to it',
      description:
        'You can only send SMS to your own phones: the one that you write from, and those that you linked. ' +
        'The code is valid for ten minutes.',
      body: z.object({ to }),
      ok: {
        200: {
          description: 'The phone is yours already, or a code was sent',
          schema: z.object({
            linked: z.boolean(),
            expiresAt: z.iso.datetime().optional().meta({ description: 'Expiry of the code' }),
          }),
        },
      },
      errors: [
        smsFailures.sms_number_invalid,
        smsFailures.sms_phone_not_own,
        smsFailures.sms_opted_out,
        smsFailures.sms_links_full,
        smsFailures.sms_limit_reached,
      ],
    },
    async c => {
      const { linked, expiresAt } = await links.begin(c.get('actor'), requirePhoneNumber(c.req.valid('json').to))
      const until = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }
      return c.json({ linked, ...until }, 200)
    },
  ),
  route.post(
    '/sms/phones/confirm',
    {
      auth: { ucan: 'sms/link' },
      summary: 'Link a phone: confirm it with the code',
      body: z.object({ to, code: z.string().regex(/^[0-9]{6}$/) }),
      ok: { 200: { description: 'The phone is linked', schema: linkedPhone } },
      errors: [smsFailures.sms_code_invalid, smsFailures.sms_number_invalid],
    },
    async c => {
      const { to: given, code } = c.req.valid('json')
      return c.json(recordOf(await links.confirm(c.get('actor'), requirePhoneNumber(given), code)), 200)
    },
  ),
  route.get(
    '/sms/phones',
    {
      auth: { ucan: 'sms/read' },
      summary: 'List your linked phones',
      ok: { 200: { description: 'The phones', schema: z.object({ phones: z.array(linkedPhone) }) } },
    },
    async c => c.json({ phones: (await store.list(c.get('actor').did)).map(recordOf) }, 200),
  ),
  route.delete(
    '/sms/phones/{id}',
    {
      auth: { ucan: 'sms/link' },
      summary: 'Remove a linked phone',
      params: z.object({ id: z.uuid() }),
      ok: { 204: { description: 'Removed' } },
      errors: [smsErrors.sms_link_unknown],
    },
    async c => {
      if (!(await store.remove(c.get('actor').did, c.req.valid('param').id))) throw smsErrors.sms_link_unknown()
      return c.body(null, 204)
    },
  ),
]

const recordOf = ({ id, phone = '', linkedAt }: LinkedPhone) => ({
  id,
  phone: maskPhone(phone),
  linkedAt: new Date(linkedAt).toISOString(),
})
