import { expect, test } from 'vitest'
import { z } from 'zod'
import { sessionEnv, sessionSettings } from './session-env.ts'

const read = (env: object) => z.object(sessionEnv).safeParse(env)

test('by default sessions live 180 seconds, are not resumed, and every code is valid', () => {
  expect(sessionSettings(read({}).data!)).toEqual({ ttlMs: 180_000, resume: false, serviceCodes: [] })
  const content = { USSD_SESSION_TTL_SECONDS: '90', USSD_RESUME: 'on', USSD_SERVICE_CODES: '*1234#, *1234*5#' }
  expect(sessionSettings(read(content).data!)).toEqual({
    ttlMs: 90_000,
    resume: true,
    serviceCodes: ['*1234#', '*1234*5#'],
  })
})

test.each([
  { USSD_SESSION_TTL_SECONDS: '0' },
  { USSD_SESSION_TTL_SECONDS: '3 minutes' },
  { USSD_RESUME: 'yes' },
  { USSD_SERVICE_CODES: '1234' },
  { USSD_SERVICE_CODES: '*1234#;*5#' },
])('rejects %j', env => {
  expect(read(env).success).toBe(false)
})
