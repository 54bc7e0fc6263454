import {
  type EntityCreation,
  type EntityPatch,
  entityCreation,
  entityPatch,
  type RegisteredEntity,
} from '@sibyl/plugin-entities/records'
import { jsonPointer, type Violation } from '@sibyl/protocol'
import type { z } from 'zod'
import type { ChainAccount } from './account/chain-account.ts'
import {
  DeactivatedEntityError,
  EntityMissingError,
  InvalidEntityError,
  NotControllerError,
  StaleEtagError,
} from './errors/entity-errors.ts'
import { InvalidAnswerError } from './errors/node-errors.ts'
import type { ChangePreview, IxoRegistry, RegistryChange } from './ixo-registry.ts'
import type { ChainMessage } from './messages/chain-message.ts'
import { accountDocumentMessage, creationMessage } from './messages/creation-message.ts'
import { deactivationMessage } from './messages/deactivation-message.ts'
import type { MessageCodec } from './messages/message-codec.ts'
import { patchMessages } from './messages/patch-messages.ts'
import { isDeactivated, readEntity } from './records/read-entity.ts'
import type { ChainQueries, ChainState } from './rpc/chain-queries.ts'
import type { CallTime, RunCall } from './transactions/call-time.ts'
import { createOnce } from './transactions/create-once.ts'
import type { Journal } from './transactions/journal.ts'
import type { TransactionSender } from './transactions/transaction-sender.ts'

export interface ChainRegistryParts {
  readonly host: string
  readonly chainId: string
  readonly account: ChainAccount
  readonly codec: MessageCodec
  readonly queries: ChainQueries
  readonly sender: TransactionSender
  readonly journal: Journal
  readonly gasPrice: string
  readonly relayerNode: string
  readonly pollIntervalMs: number
  readonly runCall: RunCall
}

/** An entity as the chain has it, and as it is answered. */
interface Found extends ChainState {
  readonly registered: RegisteredEntity
}

/** The registry of a chain; `openIxoRegistry` puts it together. */
export class ChainRegistry implements IxoRegistry {
  readonly #parts: ChainRegistryParts
  /** The account has one sequence: its transactions follow one another. */
  readonly #inTurn = oneAtATime()

  constructor(parts: ChainRegistryParts) {
    this.#parts = parts
  }

  get chainId(): string {
    return this.#parts.chainId
  }

  get address(): string {
    return this.#parts.account.address
  }

  get accountDid(): string {
    return this.#parts.account.did
  }

  async create(
    creation: EntityCreation,
    options: { readonly idempotencyKey?: string } = {},
  ): Promise<RegisteredEntity> {
    const { queries, account, sender, journal, chainId } = this.#parts
    const checked = checkInput(entityCreation, creation)
    const message = this.#creationMessage(checked)
    return this.#change(async time => {
      const data = await createOnce({
        idempotencyKey: options.idempotencyKey,
        creation: checked,
        chainId,
        address: account.address,
        journal,
        sender,
        time,
        sign: async () => {
          await this.#giveAccountDocument(time)
          return sender.sign([message], time)
        },
      })
      const did = queries.createdDid(data)
      if (did === undefined) throw this.#invalid('the registration', 'it does not contain a new entity')
      return this.#waitFor(did, time)
    })
  }

  get(did: string): Promise<RegisteredEntity | undefined> {
    return this.#parts.runCall(async ({ signal }) => (await this.#find(did, signal))?.registered)
  }

  async update(did: string, patch: EntityPatch, etag: string): Promise<RegisteredEntity> {
    const checked = checkInput(entityPatch, patch)
    return this.#changeEntity(did, etag, found => this.#patchMessages(found, checked))
  }

  deactivate(did: string, etag: string): Promise<RegisteredEntity> {
    return this.#changeEntity(did, etag, ({ entity }) => [deactivationMessage(entity, this.#parts.account)])
  }

  preview(change: RegistryChange): Promise<ChangePreview> {
    const { chainId, account, codec, gasPrice, queries, runCall } = this.#parts
    return runCall(async ({ signal }) => {
      const transactions: ChainMessage[][] = []
      if ('creation' in change) {
        const message = this.#creationMessage(checkInput(entityCreation, change.creation))
        const known = await queries.hasDocument(account.did, signal)
        if (!known) transactions.push([accountDocumentMessage(account)])
        transactions.push([message])
      } else {
        const found = await this.#findForChange(change.did, signal)
        transactions.push(
          'patch' in change
            ? this.#patchMessages(found, checkInput(entityPatch, change.patch))
            : [deactivationMessage(found.entity, account)],
        )
      }
      return {
        chainId,
        signer: account.address,
        gasPrice,
        transactions: transactions.filter(messages => messages.length > 0).map(it => it.map(one => codec.show(one))),
      }
    })
  }

  #change<Result>(work: (time: CallTime) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => this.#parts.runCall(work))
  }

  #creationMessage(creation: EntityCreation): ChainMessage {
    return creationMessage(creation, this.#parts.account, this.#parts.relayerNode)
  }

  #patchMessages({ registered, document }: Found, patch: EntityPatch): ChainMessage[] {
    return patchMessages({ record: registered.entity, document, account: this.#parts.account }, patch)
  }

  /** The chain takes entities from an account only that has a DID document; each account gets it once. */
  async #giveAccountDocument(time: CallTime): Promise<void> {
    const { queries, account, sender } = this.#parts
    while (!(await queries.hasDocument(account.did, time.signal))) {
      const signed = await sender.sign([accountDocumentMessage(account)], time)
      await sender.send(signed, time, 'A retry continues with it.')
    }
  }

  /**
   * Changes an entity from one state; if another transaction of the account is first, retries once from the same state.
   */
  #changeEntity(did: string, etag: string, messagesFor: (found: Found) => ChainMessage[]): Promise<RegisteredEntity> {
    const { sender } = this.#parts
    return this.#change(async time => {
      for (;;) {
        const found = await this.#findForChange(did, time.signal, etag)
        const messages = messagesFor(found)
        if (messages.length === 0) return found.registered
        const sent = await sender.send(await sender.sign(messages, time), time, 'Read the entity again to check.')
        if (sent) return this.#waitFor(did, time, etag)
      }
    })
  }

  /** Reads an entity until the node shows what is in the block already. @param before its ETag until then */
  async #waitFor(did: string, time: CallTime, before?: string): Promise<RegisteredEntity> {
    for (;;) {
      const found = await this.#find(did, time.signal)
      if (found && !found.document.controller.includes(this.accountDid))
        throw this.#invalid('the entity', 'it does not list the account that registered it')
      if (found && found.registered.etag !== before) return found.registered
      await time.pause(this.#parts.pollIntervalMs)
    }
  }

  async #find(did: string, signal: AbortSignal): Promise<Found | undefined> {
    if (!/^did:ixo:entity:[0-9a-f]{32}$/.test(did)) return undefined
    const state = await this.#parts.queries.entity(did, signal)
    if (!state) return undefined
    const registered = readEntity(state)
    if (!registered) throw this.#invalid('the entity', 'it has no times, or properties that do not match their proof')
    return { ...state, registered }
  }

  async #findForChange(did: string, signal: AbortSignal, etag?: string): Promise<Found> {
    const found = await this.#find(did, signal)
    if (!found) throw new EntityMissingError(did.slice(0, 100), this.chainId)
    if (!found.document.controller.includes(this.accountDid)) throw new NotControllerError(did, this.accountDid)
    if (etag !== undefined && etag !== found.registered.etag) throw new StaleEtagError(did)
    if (isDeactivated(found)) throw new DeactivatedEntityError(did)
    return found
  }

  #invalid(what: string, reason: string): InvalidAnswerError {
    return new InvalidAnswerError(this.#parts.host, what, reason)
  }
}

/** @throws InvalidEntityError (`entity_invalid`) with all errors */
const checkInput = <Value>(schema: z.ZodType<Value>, value: unknown): Value => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const violations = parsed.error.issues.map(
    ({ path, message }): Violation => ({
      path: jsonPointer('', ...path),
      code: 'entity_invalid',
      message,
    }),
  )
  throw new InvalidEntityError(violations)
}

/** Runs work one after another, in the order in which it came. */
const oneAtATime = (): (<Result>(work: () => Promise<Result>) => Promise<Result>) => {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
}
