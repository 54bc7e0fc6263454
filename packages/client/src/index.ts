export type { ApiKeyRecord, ApiKeyRequest, ApiKeys, CreatedApiKeyRecord } from './api-keys.ts'
export type { Bearers } from './bearers.ts'
export type { ChatTurn } from './chat/chat-turn.ts'
export type { Reconnecting, ReconnectPolicy } from './chat/reconnect-policy.ts'
export type { TurnOptions } from './chat/retries.ts'
export { isFinal, rawEvent, type StreamedEvent, type UnknownEvent } from './chat/streamed-event.ts'
export type { ClientOptions } from './client-options.ts'
export {
  type ChatOptions,
  type ClientToolInput,
  createClient,
  type Decision,
  type OracleClient,
  type RegenerateOptions,
  type RevocationRecord,
  type RevocationRequest,
  type SessionReadOptions,
  type SessionRecord,
  type SessionSummary,
} from './create-client.ts'
export type { ClientCredentials } from './credentials/client-credentials.ts'
export type { Ability } from './credentials/credentials.ts'
export type { GivenToken } from './credentials/given-credentials.ts'
export type { Proofs } from './credentials/invocation-credentials.ts'
export type { DelegationRecord, Delegations } from './delegations.ts'
export { ClientError } from './errors/client-error.ts'
export { KeyLostError, KeyStoreError } from './errors/key-errors.ts'
export {
  InvalidIdentifierError,
  NetworkError,
  OracleMismatchError,
  ProblemError,
  ResponseTooLargeError,
  UnexpectedResponseError,
} from './errors/request-errors.ts'
export { ConnectionLostError, InvalidEventError, TurnFailedError } from './errors/turn-errors.ts'
export { acrossRestore } from './http/across-restore.ts'
export type { BearerRecord, BearerRequest } from './http/oracle-http.ts'
export { browserKeyStore } from './keys/browser-key-store.ts'
export type { KeyStore, StoredKey } from './keys/key-store.ts'
export { SibylChatTransport } from './sibyl-chat-transport.ts'
export type { SignInRecord, SignIns } from './sign-ins.ts'
