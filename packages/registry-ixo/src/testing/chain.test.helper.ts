import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { addressOf } from './bech32.test.helper.ts'
import { execute, type ModuleState } from './chain-modules.test.helper.ts'
import { encodeDocument, encodeEntity } from './chain-records.test.helper.ts'
import {
  insufficientFee,
  insufficientFunds,
  keyNotFound,
  outOfGas,
  Refusal,
  unauthorized,
  unknownAddress,
  unknownRequest,
  wrongSequence,
} from './chain-refusal.test.helper.ts'
import { bytesOf, decode, encode, messageOf, messagesOf, numberOf, textOf } from './wire.test.helper.ts'

/** An account, and what it has of `uixo`. */
export interface Account {
  readonly number: number
  sequence: number
  balance: bigint
  /** What kind of account it is. @default a base account */
  readonly vesting?: string
}

/** A transaction in a block. */
export interface Block {
  readonly hash: string
  readonly bytes: Buffer
  readonly signer: string
  readonly sequence: number
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly data: Buffer
}

/** What of a transaction is known before it is carried out. */
interface Signed {
  readonly signer: string
  readonly sequence: number
  readonly gas: number
  readonly fee: bigint
  readonly messages: readonly { readonly typeUrl: string; readonly value: Buffer }[]
}

const lowestGasPrice = { numerator: 25n, denominator: 1_000n }

/** A chain in memory, with the rules of the Cosmos SDK and of the ixo modules as far as registries meet them. */
export class Chain {
  readonly chainId: string
  readonly accounts = new Map<string, Account>()
  readonly blocks: Block[] = []
  modules: ModuleState = { documents: new Map(), entities: new Map() }
  /** How the answers of messages travel: before Cosmos SDK 0.46 by their message's name. */
  oldAnswers = false
  #time = Date.parse('2026-11-21T12:00:00.250Z')

  constructor(chainId: string) {
    this.chainId = chainId
  }

  /** Checks what a node checks before it passes a transaction on. @throws Refusal */
  check(bytes: Buffer, simulated = false): Signed {
    const raw = decode(bytes)
    const [body, authInfo] = [messageOf(raw, 1), messageOf(raw, 2)]
    const signerInfo = messageOf(authInfo, 1)
    const publicKey = bytesOf(decode(bytesOf(messageOf(signerInfo, 1), 2)), 1)
    const signer = addressOf(publicKey)
    const account = this.accounts.get(signer)
    if (!account) throw unknownAddress(`account ${signer} does not exist`)
    const fee = messageOf(authInfo, 2)
    const coins = messagesOf(fee, 1).filter(coin => textOf(coin, 1) === 'uixo')
    const signed: Signed = {
      signer,
      sequence: numberOf(signerInfo, 3),
      gas: numberOf(fee, 2),
      fee: coins.reduce((sum, coin) => sum + BigInt(textOf(coin, 2)), 0n),
      messages: messagesOf(body, 1).map(any => ({ typeUrl: textOf(any, 1), value: bytesOf(any, 2) })),
    }
    if (simulated) return signed
    const needed = (BigInt(signed.gas) * lowestGasPrice.numerator) / lowestGasPrice.denominator
    if (signed.fee < needed) throw insufficientFee(`got: ${signed.fee}uixo required: ${needed}uixo`)
    if (account.balance < signed.fee)
      throw insufficientFunds(`${account.balance}uixo is smaller than ${signed.fee}uixo`)
    if (signed.sequence !== account.sequence)
      throw wrongSequence(`account sequence mismatch, expected ${account.sequence}, got ${signed.sequence}`)
    const mode = numberOf(messageOf(messageOf(signerInfo, 2), 1), 1)
    const document = encode([
      [1, bytesOf(raw, 1)],
      [2, bytesOf(raw, 2)],
      [3, this.chainId],
      [4, account.number],
    ])
    const genuine =
      mode === 1 && secp256k1.verify(bytesOf(raw, 3), sha256(document), publicKey, { prehash: false, lowS: true })
    if (!genuine) throw unauthorized('signature verification failed; please verify account number and chain-id')
    return signed
  }

  /** What a transaction would take. @throws Refusal */
  simulate(bytes: Buffer): number {
    const { signer, messages } = this.check(bytes, true)
    const draft = structuredClone(this.modules)
    this.#carryOut(draft, messages, signer, '')
    return gasOf(bytes)
  }

  /** Puts a transaction into a block of its own. */
  include(bytes: Buffer): Block | undefined {
    const hash = Buffer.from(sha256(bytes)).toString('hex').toUpperCase()
    let signed: Signed
    try {
      signed = this.check(bytes)
    } catch {
      return undefined
    }
    const { signer, sequence, fee, gas, messages } = signed
    const account = this.accounts.get(signer)
    if (!account) return undefined
    account.sequence += 1
    account.balance -= fee
    this.#time += 6_000
    const result = this.#run(bytes, messages, signer, hash, gas)
    const block = { hash, bytes, signer, sequence, ...result }
    this.blocks.push(block)
    return block
  }

  /** Answers a gRPC query. @throws Refusal */
  query(path: string, request: Buffer): Buffer {
    const fields = decode(request)
    const key = textOf(fields, 1)
    switch (path) {
      case '/cosmos.auth.v1beta1.Query/Account':
        return encode([[1, this.#account(key)]])
      case '/cosmos.bank.v1beta1.Query/Balance': {
        const amount = textOf(fields, 2) === 'uixo' ? (this.accounts.get(key)?.balance ?? 0n) : 0n
        const coin = encode([
          [1, textOf(fields, 2)],
          [2, amount.toString()],
        ])
        return encode([[1, coin]])
      }
      case '/cosmos.tx.v1beta1.Service/Simulate': {
        const gas = this.simulate(bytesOf(fields, 2))
        return encode([[1, encode([[2, gas]])]])
      }
      case '/ixo.iid.v1beta1.Query/IidDocument': {
        const document = this.modules.documents.get(key)
        if (!document) throw keyNotFound(`did document at ${key} not found`)
        return encode([[1, encodeDocument(document)]])
      }
      case '/ixo.entity.v1beta1.Query/Entity': {
        const [entity, document] = [this.modules.entities.get(key), this.modules.documents.get(key)]
        if (!entity || !document) throw keyNotFound(`entity ${key} not found`)
        return encode([
          [1, encodeEntity(entity)],
          [2, encodeDocument(document)],
        ])
      }
      default:
        throw unknownRequest(`unknown query path ${path}`)
    }
  }

  #account(address: string): Buffer {
    const account = this.accounts.get(address)
    if (!account) throw keyNotFound(`account ${address} not found`)
    const base = encode([
      [1, address],
      [3, account.number],
      [4, account.sequence],
    ])
    if (account.vesting === undefined)
      return encode([
        [1, '/cosmos.auth.v1beta1.BaseAccount'],
        [2, base],
      ])
    const vesting = encode([
      [1, encode([[1, base]])],
      [2, 1_700_000_000],
    ])
    return encode([
      [1, `/cosmos.vesting.v1beta1.${account.vesting}`],
      [2, vesting],
    ])
  }

  #run(bytes: Buffer, messages: Signed['messages'], signer: string, hash: string, gas: number) {
    const draft = structuredClone(this.modules)
    try {
      if (gas < gasOf(bytes)) throw outOfGas(`gasWanted: ${gas}, gasUsed: ${gasOf(bytes)}`)
      const data = this.#carryOut(draft, messages, signer, hash)
      this.modules = draft
      return { code: 0, codespace: '', log: '', data }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { code: error.code, codespace: error.codespace, log: error.message, data: Buffer.alloc(0) }
    }
  }

  #carryOut(modules: ModuleState, messages: Signed['messages'], signer: string, hash: string): Buffer {
    const answers = messages.map(({ typeUrl, value }) => {
      const answer = execute(modules, typeUrl, decode(value), { signer, hash: hash.toLowerCase(), time: this.#time })
      return encode([
        [1, this.oldAnswers ? typeUrl : `${typeUrl}Response`],
        [2, answer],
      ])
    })
    return encode(answers.map(answer => [this.oldAnswers ? 1 : 2, answer]))
  }
}

const gasOf = (bytes: Buffer): number => 60_000 + 10 * bytes.length
