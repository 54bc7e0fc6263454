import { z } from '@hono/zod-openapi'
import { holdsAbility, isoTime, listErrors, page, type Route } from '@sibyl/plugin'
import { sendAbility } from '@sibyl/plugin/host'
import type { NamedAddress, PeopleChannels } from '../plugins/people-channels.ts'
import {
  approvalCounts,
  type PendingApproval,
  pendingApproval,
  type WaitingApproval,
  waitingApproval,
} from '../records/approval-records.ts'
import type { PendingApprovals, PendingCall, WaitingCall } from '../turn/approvals/pending-approvals.ts'
import { coreRoute } from './core-route.ts'

const approvals = page({
  name: 'approvals',
  item: pendingApproval,
  key: z.tuple([z.number(), z.string()]),
  limit: 20,
  maxLimit: 100,
})

const waiting = page({
  name: 'approvals',
  item: waitingApproval,
  key: z.tuple([z.number(), z.string()]),
  limit: 50,
  maxLimit: 200,
})

/** `GET /approvals` for the calls that wait for the caller, and the calls of all users for the operator. */
export const approvalRoutes = (pending: PendingApprovals, channels: Pick<PeopleChannels, 'of'>): Route[] => [
  coreRoute.get(
    '/approvals',
    {
      auth: { ucan: 'session/read' },
      tags: ['Chat'],
      summary: 'List your pending approvals and questions, latest first',
      description:
        'Those of all sessions of your DID, on every channel. Answer one with `POST /chat/{id}/approvals/{approvalId}`. Calls that a client ' +
        'runs are not listed. A Matrix user has a DID of their own, so their approvals are answered in the room, or by a sign-in as that ' +
        'DID. On a phone nothing waits: there a tool that needs approval is denied.',
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
      summary: 'Count the pending approvals of all users, by age and channel',
      description: 'Without their contents, which only their users read.',
      ok: { 200: { description: 'The numbers', schema: approvalCounts } },
    },
    async c => c.json(await pending.count(), 200),
  ),
  coreRoute.get(
    '/operator/approvals/pending',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'List the pending approvals of all users, the oldest first',
      description:
        'Who has to decide, in which channel and since when. The arguments and the text of a call are for its user alone, who also decides ' +
        'alone. Phone numbers and users of channels are masked.',
      query: waiting.query.extend({
        channel: z.string().max(100).optional().meta({ description: 'Only those of turns of this channel' }),
      }),
      ok: { 200: { description: 'The pending approvals', schema: waiting.response } },
      errors: [listErrors.cursor_invalid],
    },
    async c => {
      const { limit, cursor, channel } = c.req.valid('query')
      const filters = { channel }
      const rows = await pending.listAll({ limit: limit + 1, after: waiting.read(cursor, filters), channel })
      const addresses = await channels.of([...new Set(rows.map(({ owner }) => owner))])
      const list = waiting.make(rows, {
        limit,
        filters,
        keyOf: ({ askedAt, id }): [number, string] => [askedAt, id],
        itemOf: call => waitingOf(call, addresses.get(call.owner) ?? []),
      })
      return c.json(list, 200)
    },
  ),
]

const recordOf = (
  { abilities, askedAt, expiresAt, schema, ...call }: PendingCall,
  scopes: readonly string[],
): PendingApproval => ({
  ...call,
  schema,
  mayApprove: holdsAbility(scopes, sendAbility) && holdsAbility(scopes, abilities.length === 0 ? undefined : abilities),
  askedAt: isoTime(askedAt),
  ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
})

const waitingOf = (
  { owner, askedAt, expiresAt, ...call }: WaitingCall,
  addresses: readonly NamedAddress[],
): WaitingApproval => ({
  ...call,
  did: owner,
  addresses: addresses.map(({ plugin, address }) => ({ plugin, address })),
  askedAt: isoTime(askedAt),
  ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
})
