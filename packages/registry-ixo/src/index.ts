export { ChainError } from './errors/chain-error.ts'
export {
  DeactivatedEntityError,
  EntityMissingError,
  InvalidEntityError,
  NotControllerError,
  NotExpressibleError,
  StaleEtagError,
} from './errors/entity-errors.ts'
export { ChainUnreachableError, InvalidAnswerError, WrongChainError } from './errors/node-errors.ts'
export {
  AccountUnfundedError,
  type ChainRefusal,
  FeeTooHighError,
  InvalidJournalError,
  ReusedKeyError,
  TransactionPendingError,
  TransactionRefusedError,
} from './errors/transaction-errors.ts'
export type { ChangePreview, IxoRegistry, RegistryChange } from './ixo-registry.ts'
export type { IxoRegistryOptions } from './ixo-registry-options.ts'
export type { PlainMessage } from './messages/message-codec.ts'
export { openIxoRegistry } from './open-ixo-registry.ts'
export type { Journal } from './transactions/journal.ts'
