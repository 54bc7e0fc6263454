import { z } from '@hono/zod-openapi'
import type { Host, Logger, Route } from '@sibyl/plugin'
import type { ErasureLimit } from '../people/erasure-limit.ts'
import { coreRoute } from './core-route.ts'
import { personParams } from './person-params.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'

export interface PeopleRoutesDependencies {
  readonly people: Host['people']
  readonly limit: ErasureLimit
  readonly log: Pick<Logger, 'info'>
}

const tags = ['Personal data']

const exported = {
  description: 'The stored data of the person, by `sessions`, `core` and plugin name, written as it is read',
  schema: z.record(z.string(), z.unknown()),
}

const failures = [
  { code: 'person_is_oracle', status: 409 },
  { code: 'personal_records_failed', status: 503 },
]

const held = { code: 'person_held', status: 409 }

const exportRunning = { code: 'export_running', status: 429 }
const tokenNeeded = { code: 'operator_token_needed', status: 401 }

/** Routes of a person for their own data, and of the operator for the data of any person. */
export const peopleRoutes = ({ people, limit, log }: PeopleRoutesDependencies): Route[] => [
  coreRoute.get(
    '/me/export',
    {
      auth: { ucan: 'me/export' },
      tags,
      summary: 'Export your stored data',
      ok: { 200: exported },
      errors: [...failures, exportRunning],
    },
    c => exportOf(people, c.get('actor').did, c.req.method),
  ),
  coreRoute.delete(
    '/me',
    {
      auth: { ucan: 'me/erase' },
      tags,
      summary: 'Erase your stored data permanently',
      description:
        'Stops everything that runs for you. Ledgers, signed histories and credentials stay, without your identity; see the guide ' +
        'to personal data. At most three times a day.',
      ok: { 204: { description: 'Erased' } },
      errors: [...failures, held, { code: 'erased_lately', status: 429 }],
    },
    async c => {
      const { did } = c.get('actor')
      const waitSeconds = await limit.waitSeconds(did)
      if (waitSeconds !== undefined) return problemResponse(c, erasedLately(waitSeconds))
      await people.erase(did)
      await limit.count(did)
      log.info('a person erased their data')
      return c.body(null, 204)
    },
  ),
  coreRoute.get(
    '/people/{person}/export',
    {
      auth: 'operator',
      tags,
      summary: 'Export the stored data of a person',
      params: personParams,
      ok: { 200: exported },
      errors: [tokenNeeded, ...failures, exportRunning],
    },
    async c => {
      const response = await exportOf(people, c.req.valid('param').person, c.req.method)
      log.info("the operator exported a person's data", { by: c.get('actor').did })
      return response
    },
  ),
  coreRoute.delete(
    '/people/{person}',
    {
      auth: 'operator',
      tags,
      summary: 'Erase the stored data of a person permanently',
      params: personParams,
      ok: { 204: { description: 'Erased' } },
      errors: [tokenNeeded, ...failures, held],
    },
    async c => {
      await people.erase(c.req.valid('param').person)
      log.info("the operator erased a person's data", { by: c.get('actor').did })
      return c.body(null, 204)
    },
  ),
]

/** A HEAD would take the place of an export until its time limit, since its body is not read. */
const exportOf = async (people: Host['people'], did: string, method: string): Promise<Response> => {
  const body = method === 'HEAD' ? null : await people.stream(did, () => people.export(did))
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

const erasedLately = (waitSeconds: number): ProblemFacts => ({
  status: 429,
  code: 'erased_lately',
  detail: 'Your data was already erased three times today. Try again tomorrow, or ask the operator.',
  headers: { 'retry-after': String(waitSeconds) },
})
