import type { OracleClient } from '@sibyl/client'
import type { OracleRecord } from '@sibyl/protocol'
import type { CommandIo } from '../../process/command-io.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatView } from './chat-view.ts'
import type { Interruption } from './interruption.ts'
import type { TurnCost } from './turn-cost.ts'

/** All that a talk with an oracle rests on, whoever speaks. */
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
  /** Says of an error what to do, where it is that the oracle does not let the person in. */
  explain(error: unknown): Promise<unknown>
}
