import { z } from 'zod'

const serviceCode = /^\*\d{1,20}(\*\d{1,20})*#$/

const serviceCodes = z
  .string()
  .max(2_000)
  .transform(text =>
    text
      .split(',')
      .map(code => code.trim())
      .filter(code => code !== ''),
  )
  .refine(codes => codes.every(code => serviceCode.test(code)), {
    error: 'each of them begins with a star, ends with a hash and has digits between: *1234#,*1234*5#',
  })

export const sessionEnv = {
  USSD_SESSION_TTL_SECONDS: z.coerce.number().int().min(1).max(86_400).default(180).meta({
    description: 'Idle time after which a USSD session ends, in seconds. Networks end sessions after about 180 s.',
    example: '120',
  }),
  USSD_RESUME: z.enum(['on', 'off']).default('off').meta({
    description:
      'Whether a caller who dials again within 10 minutes after a dropped call can resume it. Signed-in callers can resume only within USSD_SESSION_TTL_SECONDS.',
    example: 'on',
  }),
  USSD_SERVICE_CODES: serviceCodes.default([]).meta({
    description:
      'Your service codes, separated by commas. What follows the longest matching code counts as answers: with *1234#, *1234*1*2# answers 1 and 2. If unset, each dialed code is a service code.',
    example: '*1234#,*1234*5#',
    defaultText: 'every code that is dialled',
  }),
} as const

export interface SessionSettings {
  /** Maximum idle time of a session, in milliseconds. */
  readonly ttlMs: number
  /** Whether a redial offers to resume a dropped call. */
  readonly resume: boolean
  /** Base codes; if empty, every code is one. */
  readonly serviceCodes: readonly string[]
}

export const sessionSettings = (env: z.output<z.ZodObject<typeof sessionEnv>>): SessionSettings => ({
  ttlMs: env.USSD_SESSION_TTL_SECONDS * 1000,
  resume: env.USSD_RESUME === 'on',
  serviceCodes: env.USSD_SERVICE_CODES,
})
