import type { OracleClient } from '@sibyl/client'
import type { OracleRecord } from '@sibyl/protocol'
import type { CommandIo } from '../../process/command-io.ts'
import type { ChatOptions } from './chat-command.ts'
import type { ChatView } from './chat-view.ts'
import type { Interruption } from './interruption.ts'
import type { TurnCost } from './turn-cost.ts'

/** Dependencies of a chat, interactive or not. */
export interface Talk {
  readonly client: OracleClient
  readonly oracle: OracleRecord
  readonly sessionId: string
  readonly view: ChatView
  readonly interruption: Interruption
  readonly options: ChatOptions
  readonly io: CommandIo
  readonly did: string
  readonly costOf: TurnCost
  /** Adds a remedy to an error if the oracle denies access. */
  explain(error: unknown): Promise<unknown>
}
