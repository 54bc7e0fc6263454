import type { SessionRecord, StreamedEvent } from '@sibyl/client'
import type { JsonObject } from '@sibyl/protocol'
import { cleanText } from '../../output/clean-text.ts'

export type SessionMessage = SessionRecord['messages'][number]

/** A tool call that waits for the user. */
export interface ApprovalQuestion {
  readonly approvalId: string
  readonly tool: string
  /** The effect of the tool, as described by the oracle; or its question during a call. */
  readonly question: string
  /** Set if the tool itself asks: the schema of the answer, if more than yes or no. */
  readonly asks?: { readonly schema: JsonObject | undefined }
}

/** Shows a conversation. All content from the oracle is shown as data, never as terminal control sequences. */
export interface ChatView {
  /** Shows a message of the user that is not on the screen yet. */
  showSent(text: string): void
  /** @param cost The cost of the turn, as text; with its last event. */
  event(item: StreamedEvent, cost?: string): void
  /** Shows a message that arrived in the session outside of a turn. */
  came(message: SessionMessage): void
  /** Called when the connection is lost and being restored. */
  reconnecting(): void
  /** Shows a complete question, before it is asked. */
  question(question: ApprovalQuestion): void
  /** Called at Ctrl-C: the rest of the turn is not shown. */
  stopping(): void
  /** Shows that an exchange failed: the error and its remedy, if any. */
  problem(message: string, remedy: string): void
  /** Shows a remark of the command itself. */
  note(text: string): void
  /** Ends the current line. */
  settle(): void
}

/** Returns the text of a message of a session, safe to print; empty if it only calls tools. */
export const messageWords = ({ parts }: Pick<SessionMessage, 'parts'>): string =>
  cleanText(
    parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n'),
  ).trim()
