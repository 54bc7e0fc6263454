import { ChainUnreachableError, TransactionPendingError } from '@sibyl/registry-ixo'
import { expect, test } from 'vitest'
import { explainChainError } from './explain-registry-error.ts'

test('reports a pending transaction with its hash, and whether the node responds', () => {
  const cause = new ChainUnreachableError('rpc.example.org', 'ECONNREFUSED')
  const silent = new TransactionPendingError('pandora-8', 'AB12', 60_000, 'Repeat.', { cause })
  expect(explainChainError(silent)).toMatchObject({
    code: 'registry_unavailable',
    exitCode: 4,
    message:
      'It is unknown whether the transaction AB12 is in a block: the chain node does not respond. It may follow later.',
    remedy: 'Run the command again in a minute: it continues from there.',
  })
  const slow = new TransactionPendingError('pandora-8', 'AB12', 60_000, 'Repeat.')
  expect(explainChainError(slow)).toMatchObject({
    message: 'It is unknown whether the transaction AB12 is in a block yet. It may follow later.',
  })
})
