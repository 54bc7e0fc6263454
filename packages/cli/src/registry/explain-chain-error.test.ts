import { ChainUnreachableError, TransactionPendingError } from '@sibyl/registry-ixo'
import { expect, test } from 'vitest'
import { explainChainError } from './explain-chain-error.ts'

test('a transaction that is not settled is told by its hash, and whether the node answers', () => {
  const cause = new ChainUnreachableError('rpc.example.org', 'ECONNREFUSED')
  const silent = new TransactionPendingError('pandora-8', 'AB12', 60_000, 'Repeat.', { cause })
  expect(explainChainError(silent)).toMatchObject({
    code: 'registry_unavailable',
    exitCode: 4,
    message:
      "Whether the transaction AB12 is in a block is not known: the chain's node does not answer. It may come later.",
    remedy: 'Run the command again in a minute: it goes on from there.',
  })
  const slow = new TransactionPendingError('pandora-8', 'AB12', 60_000, 'Repeat.')
  expect(explainChainError(slow)).toMatchObject({
    message: 'Whether the transaction AB12 is in a block is not known yet. It may come later.',
  })
})
