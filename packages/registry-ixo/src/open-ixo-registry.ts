import { chainAccountOf } from './account/chain-account.ts'
import { ChainRegistry } from './chain-registry.ts'
import { WrongChainError } from './errors/node-errors.ts'
import type { IxoRegistry } from './ixo-registry.ts'
import type { IxoRegistryOptions } from './ixo-registry-options.ts'
import { loadLibraries } from './libraries/load-libraries.ts'
import { MessageCodec } from './messages/message-codec.ts'
import { ChainNode } from './rpc/chain-node.ts'
import { createChainQueries } from './rpc/chain-queries.ts'
import { RpcClient } from './rpc/rpc-client.ts'
import { callRunner } from './transactions/call-time.ts'
import { parseGasPrice } from './transactions/gas-price.ts'
import { memoryJournal } from './transactions/journal.ts'
import { TransactionSender } from './transactions/transaction-sender.ts'

/**
 * Opens the registry of a chain as the account of a mnemonic. Nothing is signed yet.
 *
 * @throws ChainUnreachableError (`chain_unreachable`), WrongChainError (`chain_mismatch`), InvalidAnswerError
 *   (`chain_answer_invalid`), TypeError for options that cannot be meant
 *
 * @example
 * const registry = await openIxoRegistry({ rpcUrl: 'https://rpc.example.org', mnemonic, chainId: 'pandora-8' })
 * const { entity } = await registry.create({ type: 'Oracle', properties: { name: 'Tides' } })
 */
export const openIxoRegistry = async (options: IxoRegistryOptions): Promise<IxoRegistry> => {
  const { gasPrice = '0.025uixo', maxGas = 5_000_000, timeLimitMs = 60_000, pollIntervalMs = 1_000 } = options
  const { requestTimeoutMs = 10_000, fetch = globalThis.fetch, journal = memoryJournal(), signal } = options
  const price = parseGasPrice(gasPrice)
  const node = new ChainNode(new RpcClient(rpcUrlOf(options.rpcUrl), requestTimeoutMs, fetch))
  const runCall = callRunner(node.host, timeLimitMs, signal)
  const chainId = await runCall(time => node.chainId(time.signal))
  if (options.chainId !== undefined && chainId !== options.chainId)
    throw new WrongChainError(node.host, chainId, options.chainId)
  const libraries = await loadLibraries()
  const account = await chainAccountOf(options.mnemonic, libraries)
  const codec = new MessageCodec(libraries.sdk)
  const queries = createChainQueries(node, libraries.sdk)
  const sender = new TransactionSender({
    node,
    queries,
    codec,
    account,
    chainId,
    gasPrice: price,
    maxGas,
    pollIntervalMs,
  })
  const relayerNode = options.relayerNode ?? account.did
  return new ChainRegistry({
    host: node.host,
    chainId,
    account,
    codec,
    queries,
    sender,
    journal,
    gasPrice,
    relayerNode,
    pollIntervalMs,
    runCall,
  })
}

const rpcUrlOf = (text: string | URL): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('rpcUrl is not an HTTP address.')
  if (url.username || url.password)
    throw new TypeError('rpcUrl has a user name or password, which fetch does not send.')
  return url
}
