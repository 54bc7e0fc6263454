import { addressList } from '@sibyl/plugin'
import { z } from 'zod'

const perMinute = z.coerce.number().int().min(0).max(1_000_000)

const origins = z
  .string()
  .max(10_000)
  .transform(text => text.split(/[\s,]+/).filter(Boolean))
  .pipe(
    z
      .array(z.string().refine(text => text === '*' || isOrigin(text), 'not an origin such as https://app.example.org'))
      .max(100),
  )

const isOrigin = (text: string): boolean => !text.includes('*') && URL.canParse(text) && new URL(text).origin === text

/** Loopback and the private ranges of RFC 1918 and RFC 4193. */
const privateNetworks = '127.0.0.0/8, ::1, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7'

/** The variables that limit requests. */
export const limitsEnv = {
  RATE_LIMIT_PER_MINUTE: perMinute.default(300).meta({
    description: 'Maximum requests per minute from one address; 0 means unlimited. `/` and `/health` are not counted.',
    example: '300',
  }),
  RATE_LIMIT_DID_PER_MINUTE: perMinute.default(120).meta({
    description: 'Maximum authenticated requests per minute of one DID; 0 means unlimited.',
    example: '120',
  }),
  LIMIT_SHARE_PERCENT: z.coerce.number().int().min(1).max(100).default(25).meta({
    description: 'Maximum share of each cap for one address if ORACLE_ACCESS=open, in percent.',
  }),
  TRUST_PROXY_ENABLED: z.stringbool().default(false).meta({
    description: 'Whether the client address is read from the X-Forwarded-For header of the proxy.',
    example: 'true',
  }),
  TRUST_PROXY_HOPS: z.coerce.number().int().min(1).max(10).default(1).meta({
    description: 'Number of proxies in front of the oracle, if TRUST_PROXY_ENABLED=true.',
  }),
  TRUST_PROXY_FROM: addressList.prefault(privateNetworks).meta({
    description: 'Addresses and networks of the proxies, separated by commas; X-Forwarded-For from others is ignored.',
    example: '10.0.0.2, 173.245.48.0/20',
    defaultText: 'loopback and private networks',
  }),
  CORS_ORIGIN: origins.default([]).meta({
    description: 'Origins whose pages may call the oracle, separated by commas, or *.',
    example: 'https://app.example.org',
    defaultText: 'localhost origins in development, otherwise none',
  }),
  MAX_CONNECTIONS: z.coerce.number().int().min(1).max(1_000_000).default(10_000).meta({
    description: 'Maximum open connections; further ones are closed immediately.',
  }),
  CONNECTION_BACKLOG: z.coerce.number().int().min(1).max(65_535).default(4_096).meta({
    description: 'Maximum connections that wait to be accepted. The kernel caps it: `net.core.somaxconn` on Linux.',
  }),
  MAX_ATTACHMENT_MB: z.coerce.number().int().min(1).max(100).default(10).meta({
    description:
      'Maximum total size of the files of a message, and of the files that a turn sends to the model, in megabytes.',
    example: '10',
  }),
  REQUEST_TIME_LIMIT_SECONDS: z.coerce.number().int().min(1).max(3600).default(60).meta({
    description: 'Maximum time to receive a request, and to handle it, in seconds.',
  }),
  ALERT_WEBHOOK_PRIVATE: z.enum(['on', 'off']).default('off').meta({
    description: 'Whether webhooks of alerts may have addresses in private networks.',
  }),
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(0).max(3600).default(15).meta({
    description: 'Maximum duration of a shutdown, in seconds; running turns get all of it except the last 5.',
  }),
}
