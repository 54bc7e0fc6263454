import { problem, type Route, type RouteRefusal, route } from '@sibyl/plugin'
import { z } from 'zod'
import type { RequestFields } from '../requests/request-fields.ts'
import type { TextMode, UssdReply } from '../requests/ussd-request.ts'
import { standardLimits } from '../text/text-limits.ts'
import { faultReply } from './fault-reply.ts'
import type { Gateway } from './gateway.ts'
import type { RouteContext } from './trust.ts'

const plainText = (description: string, example: string) => ({
  description,
  content: { 'text/plain': { schema: z.string(), example } },
})

/** Responses in the spec's own form. */
const answers = {
  200: plainText(
    '`CON` and the menu to show, or `END` and the last words; also where the input is not valid, or the database away',
    'CON Welcome to Oracle\n1. Know More\n2. Account Menu\n*. Exit',
  ),
  414: problem('`url_too_long`'),
  default: plainText(
    '`END` and why: 429 with `Retry-After` beyond the limit of requests, 403 where only trusted gateways may call',
    'END Too many requests. Please try again later.',
  ),
}

/** Returns `POST /api/ussd`, in the interface specification's own form. */
export const plainRoute = (gateway: Gateway, fields: RequestFields, textMode: TextMode): Route =>
  route.post(
    '/api/ussd',
    {
      auth: 'public',
      summary: "Answer what a phone's user dialled or typed",
      description:
        'For telecom gateways, once for each input of a session. The reply is text: `CON` with a menu, or `END`. One address ' +
        'may send 100 requests a minute; for a gateway in `USSD_TRUSTED_GATEWAYS`, each phone number has its own limit instead.',
      body: {
        required: true,
        content: {
          'application/json': {
            schema: fields,
            example: { sessionId: 'ATUid_8f14e45f', serviceCode: '*1234#', phoneNumber: '+260971234567', text: '' },
          },
        },
      },
      ok: answers,
      rateLimit: gateway.rateLimit,
      admit: gateway.admit,
      refuse: refusePlainly,
    },
    async c => {
      const { sessionId, serviceCode, phoneNumber, text } = c.req.valid('json')
      const event = text === '' ? 'dial' : 'input'
      const request = { provider: 'plain', sessionId, serviceCode, phoneNumber, event, text, textMode } as const
      const reply = await gateway.serve(c, { ...request, limits: standardLimits })
      return c.text(plainReply(reply!), 200)
    },
  )

/** Returns a reply in the spec's own form: `CON …` or `END …`. */
export const plainReply = ({ kind, text }: UssdReply): string => `${kind === 'end' ? 'END' : 'CON'} ${text}`

/** Returns the response to a refusal, in the spec's own form. */
export const refusePlainly = (context: RouteContext, refusal: RouteRefusal): Response => {
  const { text, status } = faultReply(refusal)
  return context.text(plainReply({ kind: 'end', text }), status)
}
