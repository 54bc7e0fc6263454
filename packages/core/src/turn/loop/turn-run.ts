import type { LanguageModelV4, LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { ModelCallBounds } from '@sibyl/models'
import type { Usage } from '@sibyl/protocol'
import type { ModelMessage } from 'ai'
import type { AttachedContentsRequest } from '../../attachments/attached-contents.ts'
import type { CallDependencies, CallingTurn } from '../calls/calling-turn.ts'
import type { PromptProfile } from './prompt.ts'
import type { StopRules } from './stop-rules.ts'

/** Settings of the files in messages. */
export type AttachmentSettings = Pick<AttachedContentsRequest, 'files' | 'inputs' | 'maxBytes'>

/** Dependencies of the model loop. */
export interface LoopDependencies extends CallDependencies {
  readonly middleware: readonly LanguageModelV4Middleware[]
  readonly profile: PromptProfile
  readonly model: (bounds: ModelCallBounds) => Promise<LanguageModelV4>
  /** Settings of the files in messages, as they are now. */
  readonly attachments: () => AttachmentSettings
}

/** The input of the model loop. */
export interface ModelInput {
  readonly model: LanguageModelV4
  readonly instructions: string
  readonly messages: readonly ModelMessage[]
}

/** The result of a model loop. */
export interface ModelLoopResult {
  readonly usage: Usage
  readonly steps: number
  readonly finishReason: string
  /** The error that ended it. */
  readonly error?: unknown
}

/** One run of a turn: what its model loop and its tool calls share. */
export interface TurnRun extends CallingTurn {
  readonly dependencies: LoopDependencies
  readonly stopRules: StopRules
}
