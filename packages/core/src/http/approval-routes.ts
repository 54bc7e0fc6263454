import { z } from '@hono/zod-openapi'
import { holdsAbility, page, type Route, sendAbility } from '@sibyl/plugin'
import { type ApprovalCounts, approvalCounts, type PendingApproval, pendingApproval } from '@sibyl/protocol'
import type { PendingApprovals, PendingCall } from '../turn/pending-approvals.ts'
import { coreRoute } from './core-route.ts'

const approvals = page({
  name: 'approvals',
  item: pendingApproval,
  key: z.tuple([z.number(), z.string()]),
  limit: 20,
  maxLimit: 100,
})

/** `GET /approvals` for the calls that wait for the caller, and their numbers for the operator. */
export const approvalRoutes = (pending: PendingApprovals): Route[] => [
  coreRoute.get(
    '/approvals',
    {
      auth: { ucan: 'session/read' },
      tags: ['Chat'],
      summary: 'List the approvals and questions that wait for you, the latest first',
      description:
        'Those of all your sessions, on every channel. Answer one with `POST /chat/{id}/approvals/{approvalId}`. Calls that a client runs ' +
        'are not listed. A phone and a Matrix user have their own DIDs, so their approvals are answered there.',
      query: approvals.query,
      ok: { 200: { description: 'The pending approvals', schema: approvals.response } },
    },
    async c => {
      const { did, scopes } = c.get('actor')
      const { limit, cursor } = c.req.valid('query')
      const rows = await pending.list(did, limit + 1, approvals.read(cursor))
      const list = approvals.make(rows, {
        limit,
        keyOf: ({ askedAt, id }): [number, string] => [askedAt, id],
        itemOf: call => recordOf(call, scopes),
      })
      return c.json(list, 200)
    },
  ),
  coreRoute.get(
    '/operator/approvals',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'Count the pending approvals of all users, by age',
      description: 'Without their contents, which only their users read.',
      ok: { 200: { description: 'The numbers', schema: approvalCounts } },
    },
    async c => {
      const { oldestAskedAt, ...counts } = await pending.count()
      const record: ApprovalCounts = {
        ...counts,
        ...(oldestAskedAt === undefined ? {} : { oldestAskedAt: isoTime(oldestAskedAt) }),
      }
      return c.json(record, 200)
    },
  ),
]

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString()

const recordOf = (
  { abilities, askedAt, expiresAt, schema, ...call }: PendingCall,
  scopes: readonly string[],
): PendingApproval => ({
  ...call,
  ...(schema === undefined ? {} : { schema }),
  mayApprove: holdsAbility(scopes, sendAbility) && holdsAbility(scopes, abilities.length === 0 ? undefined : abilities),
  askedAt: isoTime(askedAt),
  ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
})
