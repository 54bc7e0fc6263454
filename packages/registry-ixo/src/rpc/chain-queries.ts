import { InvalidAnswerError } from '../errors/node-errors.ts'
import type { ChainRefusal } from '../errors/transaction-errors.ts'
import type { ChainLibraries } from '../libraries/load-libraries.ts'
import type { ChainNode } from './chain-node.ts'

type Ixo = ChainLibraries['sdk']['ixo']

/** An entity of the entity module. */
export type ChainEntity = ReturnType<Ixo['entity']['v1beta1']['Entity']['decode']>

/** A DID document of the iid module. */
export type ChainDocument = ReturnType<Ixo['iid']['v1beta1']['IidDocument']['decode']>

/** An entity with its document, and the bytes that both were read from. */
export interface ChainState {
  readonly entity: ChainEntity
  readonly document: ChainDocument
  readonly bytes: Uint8Array
}

export interface AccountState {
  /** The number of the account on its chain. */
  readonly number: number
  /** The number of transactions that it has signed. */
  readonly sequence: number
}

export const createChainQueries = (node: ChainNode, sdk: ChainLibraries['sdk']) => {
  const ask = async (path: string, request: Uint8Array, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    const answer = await node.query(path, request, signal)
    if (answer.ok) return answer.value
    if (answer.notFound) return undefined
    throw new InvalidAnswerError(node.host, path, answer.refusal.log)
  }
  const read = <Result>(what: string, read: () => Result): Result => {
    try {
      return read()
    } catch (error) {
      throw new InvalidAnswerError(node.host, what, 'the bytes do not match', { cause: error })
    }
  }
  const accountOf = (any: { typeUrl: string; value: Uint8Array } | undefined, address: string): AccountState => {
    const account = any && baseAccountOf(any)
    if (account?.address !== address) throw new RangeError('another account')
    const [number, sequence] = [Number(account.accountNumber.toString()), Number(account.sequence.toString())]
    if (!Number.isSafeInteger(number) || !Number.isSafeInteger(sequence)) throw new RangeError('too large')
    return { number, sequence }
  }
  /** All accounts that vest begin alike; what differs between them comes later, and is skipped. */
  const baseAccountOf = ({ typeUrl, value }: { typeUrl: string; value: Uint8Array }) => {
    const { auth, vesting } = sdk.cosmos
    if (typeUrl === '/cosmos.auth.v1beta1.BaseAccount') return auth.v1beta1.BaseAccount.decode(value)
    if (!vestingAccount.test(typeUrl)) return undefined
    return vesting.v1beta1.DelayedVestingAccount.decode(value).baseVestingAccount?.baseAccount
  }
  return {
    /** The state of an account; undefined where the chain has never seen it. */
    async account(address: string, signal: AbortSignal): Promise<AccountState | undefined> {
      const { QueryAccountRequest, QueryAccountResponse } = sdk.cosmos.auth.v1beta1
      const request = QueryAccountRequest.encode({ address }).finish()
      const value = await ask('/cosmos.auth.v1beta1.Query/Account', request, signal)
      return value && read('an account', () => accountOf(QueryAccountResponse.decode(value).account, address))
    },
    /** Returns the balance of a coin, in its smallest unit. */
    async balance(address: string, denom: string, signal: AbortSignal): Promise<bigint> {
      const { QueryBalanceRequest, QueryBalanceResponse } = sdk.cosmos.bank.v1beta1
      const request = QueryBalanceRequest.encode({ address, denom }).finish()
      const value = await ask('/cosmos.bank.v1beta1.Query/Balance', request, signal)
      return read('a balance', () => {
        const amount = value && QueryBalanceResponse.decode(value).balance?.amount
        return BigInt(amount?.match(/^\d{1,40}$/)?.[0] ?? 0)
      })
    },
    /** The gas that a transaction would take, or why the chain would refuse it. */
    async simulate(bytes: Uint8Array, signal: AbortSignal): Promise<{ gas: number } | { refusal: ChainRefusal }> {
      const { SimulateRequest, SimulateResponse } = sdk.cosmos.tx.v1beta1
      const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: bytes })).finish()
      const answer = await node.query('/cosmos.tx.v1beta1.Service/Simulate', request, signal)
      if (!answer.ok) return { refusal: answer.refusal }
      return read('a simulation', () => {
        const gas = Number(SimulateResponse.decode(answer.value).gasInfo?.gasUsed.toString())
        if (!Number.isSafeInteger(gas) || gas <= 0) throw new RangeError('no gas')
        return { gas }
      })
    },
    /** Whether the iid module has a document of that DID. */
    async hasDocument(did: string, signal: AbortSignal): Promise<boolean> {
      const { QueryIidDocumentRequest, QueryIidDocumentResponse } = sdk.ixo.iid.v1beta1
      const request = QueryIidDocumentRequest.encode({ id: did }).finish()
      const value = await ask('/ixo.iid.v1beta1.Query/IidDocument', request, signal)
      if (value === undefined) return false
      return read('a DID document', () => QueryIidDocumentResponse.decode(value).iidDocument?.id === did)
    },
    /** An entity with its document; undefined where the chain has none of that DID. */
    async entity(did: string, signal: AbortSignal): Promise<ChainState | undefined> {
      const { QueryEntityRequest, QueryEntityResponse } = sdk.ixo.entity.v1beta1
      const request = QueryEntityRequest.encode({ id: did }).finish()
      const value = await ask('/ixo.entity.v1beta1.Query/Entity', request, signal)
      if (value === undefined) return undefined
      return read('an entity', () => {
        const { entity, iidDocument: document } = QueryEntityResponse.decode(value)
        if (entity?.id !== did || document?.id !== did) throw new RangeError('another entity')
        return { entity, document, bytes: value }
      })
    },
    /** Returns the DID that a transaction created, from the responses of its messages, if any. */
    createdDid(data: Uint8Array): string | undefined {
      const typeUrl = '/ixo.entity.v1beta1.MsgCreateEntityResponse'
      return read('a transaction', () => {
        const answers = sdk.cosmos.base.abci.v1beta1.TxMsgData.decode(data)
        const answer =
          answers.msgResponses.find(any => any.typeUrl === typeUrl)?.value ??
          answers.data.find(one => one.msgType.endsWith('MsgCreateEntity'))?.data
        const did = answer && sdk.ixo.entity.v1beta1.MsgCreateEntityResponse.decode(answer).entityId
        return did && /^did:ixo:entity:[0-9a-f]{32}$/.test(did) ? did : undefined
      })
    },
  }
}

/** The typed queries of the registry. Throws like `ChainNode`. */
export type ChainQueries = ReturnType<typeof createChainQueries>

const vestingAccount =
  /^\/cosmos\.vesting\.v1beta1\.(?:Continuous|Delayed|Periodic|PermanentLocked)(?:Vesting)?Account$/
