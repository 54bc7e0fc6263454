import { addressList } from '@sibyl/plugin'
import { z } from 'zod'
import { defaultTextLimit } from '../requests/request-fields.ts'

const perMinute = z.coerce.number().int().min(0).max(10_000_000)

const secret = z.string().min(16).max(500).regex(/^\S+$/, 'must have no spaces')

export const gatewayEnv = {
  USSD_OPERATOR_TOKEN: secret.optional().meta({
    description:
      'The bearer token of the routes on sessions and customers. Without it they are closed; in development those on sessions ' +
      'are open then.',
    example: 'the output of openssl rand -hex 32',
    secret: true,
  }),
  USSD_TRUSTED_GATEWAYS: addressList.optional().meta({
    description:
      'Addresses and networks of telecom gateways, separated by commas: requests are then counted by phone number. Behind a ' +
      'proxy, set TRUST_PROXY_ENABLED, and USSD_GATEWAY_SECRET as well.',
    example: '196.216.0.4, 10.20.0.0/16',
    defaultText: 'none',
  }),
  USSD_GATEWAY_SECRET: secret.optional().meta({
    description: 'A secret that a trusted gateway sends in the header X-Gateway-Secret, wherever it comes from.',
    example: 'the output of openssl rand -hex 32',
    secret: true,
  }),
  USSD_GATEWAY_RATE: perMinute.default(60_000).meta({
    description: 'Requests per minute of one address of a trusted gateway; 0 means no limit.',
  }),
  USSD_PHONE_RATE: perMinute.default(60).meta({
    description: 'Requests per minute of one phone number through trusted gateways; 0 means no limit.',
  }),
  USSD_GATEWAY_ONLY: z.stringbool().default(false).meta({
    description:
      'Whether only trusted gateways may call. Set it in production: any caller could send any phone number.',
    example: 'true',
  }),
  USSD_TEXT_MODE: z
    .enum(['cumulative', 'last', 'auto'])
    .default('cumulative')
    .meta({
      description:
        'Content of `text` on `/api/ussd`: all answers of a session joined by `*` (cumulative), only the last answer (last), or ' +
        'either of them, which is detected (auto).',
      example: 'auto',
    }),
  USSD_TEXT_LIMIT: z.coerce.number().int().min(defaultTextLimit).max(10_000).default(defaultTextLimit).meta({
    description: 'Maximum length of `text` in a request, in characters, for gateways that accumulate long inputs.',
  }),
  USSD_REPLY_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(12)
    .meta({
      description:
        'Time that a telecom gateway waits for a reply, in seconds. If the reply takes longer, the caller reads that the ' +
        'service is unavailable. Most gateways wait 10 to 15 s.',
    }),
}
