import { problem, type Route, type RouteRefusal, route } from '@sibyl/plugin'
import { z } from 'zod'
import type { ReplyError } from '../providers/ussd-provider.ts'
import type { RequestFields } from '../requests/request-fields.ts'
import type { TextMode, UssdReply } from '../requests/ussd-request.ts'
import { standardLimits } from '../text/measure.ts'
import { type Gateway, maxBodyBytes, type RouteContext } from './gateway.ts'

const plainText = (description: string, example: string) => ({
  description,
  content: { 'text/plain': { schema: z.string(), example } },
})

const responses = {
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

/** Returns `POST /api/ussd`, in the form of the interface specification. */
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
      ok: responses,
      maxBodyBytes,
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

/** Returns a reply in the form of the specification: `CON …` or `END …`. */
const plainReply = ({ kind, text }: UssdReply): string => `${kind === 'end' ? 'END' : 'CON'} ${text}`

export const refusePlainly = (context: RouteContext, refusal: RouteRefusal): Response => {
  const { text, status } = errorReply(refusal)
  return context.text(plainReply({ kind: 'end', text }), status)
}

/** Reply without a screen. */
export interface ErrorReply {
  readonly error: ReplyError
  /** For the phone, without `END`. */
  readonly text: string
  /** 200 if the phone should show the text: many gateways replace it by their own error for any other status. */
  readonly status: 200 | 403 | 429
}

const invalid: ErrorReply = { error: 'invalid', text: 'Invalid input. Please try again.', status: 200 }
const unavailable: ErrorReply = {
  error: 'unavailable',
  text: 'Service temporarily unavailable. Please try again later.',
  status: 200,
}
const rateLimited: ErrorReply = {
  error: 'rate-limited',
  text: 'Too many requests. Please try again later.',
  status: 429,
}
const refused: ErrorReply = { error: 'refused', text: 'This gateway may not call.', status: 403 }

export const errorReply = ({ status }: Pick<RouteRefusal, 'status'>): ErrorReply => {
  if (status >= 500) return unavailable
  if (status === 429) return rateLimited
  return status === 403 ? refused : invalid
}
