import { hash } from 'node:crypto'
import { type Retention, retain } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import canonicalize from 'canonicalize'
import { entitiesFailures } from '../errors/entities-errors.ts'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import type { Answer, ReplyKey } from './write-task.ts'

const digest = (text: string): string => hash('sha256', text, 'base64url')

/** Returns the key of the reply to a request: from its sender, the `Idempotency-Key` and the body. */
export const replyKeyOf = (did: string, key: string, body: JsonValue): ReplyKey => ({
  key: digest(JSON.stringify([did, key])),
  requestHash: digest(canonicalize(body) ?? ''),
})

export interface KeptReply {
  readonly requestHash: string
  readonly answer: Answer
}

/** Returns stored replies, by key. */
export const findReplies = async (
  read: EntitiesStorage['read'],
  keys: readonly string[],
): Promise<ReadonlyMap<string, KeptReply>> => {
  if (keys.length === 0) return new Map()
  const rows = await read
    .selectFrom('entities_replies')
    .select(['key', 'request_hash', 'reply'])
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(row => [row.key, { requestHash: row.request_hash, answer: JSON.parse(row.reply) }]))
}

/**
 * Returns the response of a stored reply.
 *
 * @throws `idempotency_key_reused` if it belongs to another request
 */
export const repeatedReply = ({ requestHash, answer }: KeptReply, request: ReplyKey): Answer => {
  if (requestHash !== request.requestHash) throw entitiesFailures.idempotency_key_reused()
  return { ...answer, repeated: true }
}

/** Stores a reply in the transaction of its change; false if its key is already stored. */
export const keepReply = async (
  tx: EntitiesTransaction,
  { key, requestHash }: ReplyKey,
  answer: Answer,
  now: number,
): Promise<boolean> => {
  const kept = await tx
    .insertInto('entities_replies')
    .values({
      key,
      request_hash: requestHash,
      entity_id: answer.entity.id,
      reply: JSON.stringify(answer),
      created_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('key')
    .execute()
  return kept.length > 0
}

/** Returns the retention of replies: an `Idempotency-Key` whose reply is deleted can be used again. */
export const replyRetention = (storage: ReplyStorage, days: number): Retention =>
  retain(storage, {
    table: 'entities_replies',
    key: ['key'],
    where: (eb, now) => eb('created_at', '<=', now - days * 86_400_000),
  })

type ReplyStorage = Pick<EntitiesStorage, 'engine' | 'read' | 'write'>
