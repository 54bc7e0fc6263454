import { type Mnemonic, parseMnemonic } from '@sibyl/identity'
import type { IxoRegistryOptions } from '../ixo-registry-options.ts'
import { openIxoRegistry } from '../open-ixo-registry.ts'
import { type ChainNodeProcess, type NodeFailure, startChainNode } from './chain-node.test.helper.ts'

/** The words of the test vectors of BIP-39, which everybody knows. */
export const words = `${'abandon '.repeat(11)}about`

/** The mnemonic of words. */
export const mnemonicOf = (text: string): Mnemonic => {
  const parsed = parseMnemonic(text)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.mnemonic
}

/** The account of `words`. */
export const address = 'ixo19rl4cm2hmr8afy4kldpxz3fka4jguq0ar4n0mx'

/** A node for the tests of a file, and what opens registries there. */
export const startTestChain = async () => {
  const node: ChainNodeProcess = await startChainNode()
  const open = (options: Partial<IxoRegistryOptions> = {}) =>
    openIxoRegistry({
      rpcUrl: node.url,
      mnemonic: mnemonicOf(words),
      timeLimitMs: 20_000,
      pollIntervalMs: 5,
      ...options,
    })
  return {
    node,
    open,
    /** A chain with nothing but the account and its funds, and a registry on it. */
    async fresh(options: Partial<IxoRegistryOptions> = {}) {
      await node.send({ do: 'reset' })
      await node.send({ do: 'fund', address, amount: '100000000' })
      return open(options)
    },
    fail: (...failures: NodeFailure[]) => node.send({ do: 'fail', faults: failures }),
    report: () => node.send({ do: 'report' }),
  }
}
